/** How the OpenAPI document describes a filter tree. `parseTree` decides what is accepted. */
import { logics, operatorNames, units } from "./Operators.ts"

export const filterShape = {
  type: "object",
  properties: {
    field: {
      type: "string",
      maxLength: 1000,
      description:
        "`email`, `subscribed`, `createdAt`, `updatedAt`, `data.<path>`, `event.<name>`, `email.<activity>`, `segment.<id>`, or the bare name of an event with an event operator."
    },
    operator: { type: "string", enum: operatorNames, description: "The possible operators depend on the field." },
    value: {
      description:
        "The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing."
    },
    unit: { type: "string", enum: units, description: "The unit of an amount of time." }
  },
  required: ["field", "operator"]
}

/** `name` is the name of the component, which refers to itself. */
export const filterTreeShape = (name: string) => ({
  type: "object",
  properties: {
    logic: { type: "string", enum: logics, default: "AND", description: "How the groups are combined." },
    groups: {
      type: "array",
      description: "Without groups every contact matches.",
      items: {
        type: "object",
        description: "All filters and the nested tree must hold. At least one of the two is required.",
        properties: {
          filters: { type: "array", items: filterShape },
          conditions: { $ref: `#/components/schemas/${name}` }
        }
      }
    }
  },
  required: ["groups"]
})

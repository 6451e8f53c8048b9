/** How the OpenAPI document describes a filter tree. `parseTree` decides what is accepted. */
import { logics, operatorNames, units } from "./Operators.ts"

const comparison = {
  operator: { type: "string", enum: operatorNames, description: "The possible operators depend on the field." },
  value: {
    description:
      "The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing."
  },
  unit: { type: "string", enum: units, description: "The unit of an amount of time." }
}

const eventPath = {
  path: { type: "string", maxLength: 1000, description: "Into the data of the event, as `data.<path>`." }
}

const variable = {
  valueFrom: {
    type: "string",
    maxLength: 1000,
    description: "In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails."
  }
}

/** Tests of the data of an event, as the entries of `where`. */
export const eventTestShape = (variables: boolean) => ({
  type: "array",
  minItems: 1,
  maxItems: 10,
  description: "Tests that must all hold for the data of the event.",
  items: {
    type: "object",
    properties: { ...eventPath, ...comparison, ...(variables && variable) },
    required: ["path", "operator"]
  }
})

export const filterShape = {
  type: "object",
  properties: {
    field: {
      type: "string",
      maxLength: 1000,
      description:
        "`email`, `externalId`, `subscribed`, `subscription`, `topic.<key>`, `topic.<key>.takes`, `snoozedUntil`, `locale`, `timezone`, `origin.source`, `createdAt`, `updatedAt`, `data.<path>`, `event.<name>`, `email.<activity>`, `segment.<id>`, or the bare name of an event with an event operator."
    },
    ...comparison,
    where: {
      ...eventTestShape(false),
      description: "For events only: tests that must all hold for the data of the same event."
    }
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

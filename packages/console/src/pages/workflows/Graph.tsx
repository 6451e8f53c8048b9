/** The steps as a graph. Its code is loaded when it is shown. */
import "@xyflow/react/dist/base.css"
import {
  applyNodeChanges,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow
} from "@xyflow/react"
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from "react"
import { classes } from "../../kit/classes.ts"
import { numberText } from "../../kit/Text.tsx"
import { allBranchesOf, connected, type Drawing, type DrawnStep, flowOrder, stepOf } from "./Drawing.ts"
import { takenBy } from "./reads.ts"
import { StepCard, type StepView } from "./StepCard.tsx"
import { type StepActions, stepKey } from "./StepList.tsx"
import { branchText } from "./stepText.ts"
import { workflowWords } from "./words.ts"
import styles from "./workflows.module.css"

interface Data extends Record<string, unknown> {
  readonly step: DrawnStep
  readonly drawing: Drawing
  readonly view: StepView
}

type StepNode = Node<Data, "step">

/** Handles of several branches stand beside each other. */
const places = (count: number, index: number) => ({ left: `${((index + 1) * 100) / (count + 1)}%` })

const StepBox = ({ data, isConnectable }: NodeProps<StepNode>) => {
  const { step, drawing, view } = data
  const branches = allBranchesOf(drawing, step)
  return (
    <div className={classes(styles.box, view.runs !== undefined && !isPassed(step.id, view) && styles.unpassed)}>
      {step.type !== "TRIGGER" && <Handle type="target" position={Position.Top} isConnectable={isConnectable} />}
      <StepCard step={step} drawing={drawing} view={view} />
      {branches.map((branch, index) => (
        <Handle
          key={branch ?? ""}
          id={branch ?? ""}
          type="source"
          position={Position.Bottom}
          style={places(branches.length, index)}
          isConnectable={isConnectable}
        />
      ))}
    </div>
  )
}

/** Whether the execution that is shown came to the step. */
const isPassed = (id: string, { runs, entry }: StepView): boolean => runs?.has(id) === true || id === entry

const nodeTypes = { step: StepBox }

const moves: { readonly [key: string]: readonly [x: number, y: number] | undefined } = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0]
}

interface GraphProps {
  readonly drawing: Drawing
  readonly view: StepView
  readonly actions: StepActions
  /** Absent where the graph is only looked at. */
  readonly change?: ((change: (drawing: Drawing) => Drawing, name?: string) => void) | undefined
}

const moved = (
  drawing: Drawing,
  id: string,
  to: (before: DrawnStep["position"]) => DrawnStep["position"]
): Drawing => ({
  ...drawing,
  steps: drawing.steps.map((step) => (step.id === id ? { ...step, position: to(step.position) } : step))
})

const Graph = ({ drawing, view, actions, change }: GraphProps): ReactNode => {
  const words = workflowWords()
  const [nodes, setNodes] = useState<ReadonlyArray<StepNode>>([])
  const isEditable = change !== undefined
  useEffect(() => {
    setNodes((before) => {
      const known = new Map(before.map((node) => [node.id, node]))
      return flowOrder(drawing).map((step) => ({
        ...known.get(step.id),
        id: step.id,
        type: "step" as const,
        // Steps that show their run are taller.
        position: isEditable ? step.position : { x: step.position.x, y: step.position.y * 1.4 },
        data: { step, drawing, view },
        ariaLabel: `${words.types[step.type]}: ${step.name}`
      }))
    })
  }, [drawing, view, words, isEditable])
  const edges = useMemo(
    () =>
      drawing.transitions.map(({ from, to, branch }): Edge => {
        const isTaken =
          isPassed(from, view) && isPassed(to, view) && (branch === null || view.runs?.get(from)?.branch === branch)
        const taken = view.runs === undefined ? takenBy(view.figures, drawing.transitions, { from, branch }) : undefined
        const label = [
          ...(branch === null ? [] : [branchText(branch, stepOf(drawing, from)?.config, words)]),
          ...(taken === undefined || taken === 0 ? [] : [numberText(taken)])
        ]
        return {
          id: `${from} ${branch ?? ""}`,
          source: from,
          target: to,
          sourceHandle: branch ?? "",
          type: "smoothstep",
          markerEnd: { type: MarkerType.ArrowClosed },
          className: isTaken ? (styles.taken ?? "") : "",
          ...(label.length > 0 && { label: label.join(": ") })
        }
      }),
    [drawing, view, words]
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const id = (event.target as HTMLElement).closest<HTMLElement>(".react-flow__node")?.dataset["id"]
    if (id === undefined) return
    const way = moves[event.key]
    if (way !== undefined && change !== undefined) {
      event.preventDefault()
      const far = event.shiftKey ? 50 : 10
      change((before) => moved(before, id, ({ x, y }) => ({ x: x + way[0] * far, y: y + way[1] * far })), `move ${id}`)
    } else if (isEditable || event.key === "Enter") stepKey(event, id, actions)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the steps in it have the focus
    <div className={styles.graph} onKeyDown={onKeyDown}>
      <ReactFlow<StepNode>
        nodes={[...nodes]}
        edges={edges}
        nodeTypes={nodeTypes}
        aria-label={words.graph}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.1 }}
        minZoom={0.2}
        maxZoom={1.5}
        proOptions={{ hideAttribution: true }}
        edgesFocusable={false}
        elementsSelectable={false}
        nodesDraggable={isEditable}
        nodesConnectable={isEditable}
        deleteKeyCode={null}
        zoomOnScroll={false}
        preventScrolling={false}
        ariaLabelConfig={{ "node.a11yDescription.default": isEditable ? words.graphKeys : "" }}
        onNodesChange={(changes) => setNodes((before) => applyNodeChanges(changes, [...before]))}
        onNodeClick={(_, node) => actions.open(node.id)}
        onNodeDragStop={(_, { id, position }) =>
          change?.((before) => moved(before, id, () => ({ x: Math.round(position.x), y: Math.round(position.y) })))
        }
        onConnect={({ source, target, sourceHandle }) =>
          change?.((before) => connected(before, source, sourceHandle || null, target))
        }
      >
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

export default Graph

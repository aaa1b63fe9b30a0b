import { ServiceError } from '../../../kernel/errors.ts'
import type { Scope, WriteScope } from '../../shared/index.ts'
import type { RunInput, RunTool, ToolCall, ToolResult } from '../runtime.ts'
import { addCommentTool } from './add_comment.ts'
import { appendBlocksTool } from './append_blocks.ts'
import { createPageTool } from './create_page.ts'
import { findReachablePage } from './find_reachable_page.ts'
import { Reach, type AgentRights } from './reach.ts'
import { readPageTool } from './read_page.ts'
import { searchWorkspaceTool } from './search_workspace.ts'
import { refusal, type PreparedWrite, type Tool, type WriteTool } from './tool.ts'
import type { NamedPage } from './titles.ts'

const tools: readonly Tool[] = [searchWorkspaceTool, readPageTool, createPageTool, appendBlocksTool, addCommentTool]

/** The tools for which the caller has the capability and the agent a permission somewhere. */
export function toolsFor(scope: Scope, agent: AgentRights): RunTool[] {
  const reach = new Reach(scope, agent)
  return tools
    .filter((tool) => isAllowed(scope, reach, tool))
    .map(({ name, purpose, kind, parameters }) => ({ name, purpose, kind, parameters }))
}

function isAllowed({ actor }: Scope, reach: Reach, { capability, role }: Tool): boolean {
  return actor.capabilities.has(capability) && reach.allows(role)
}

function toolCalled(scope: Scope, reach: Reach, name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name && isAllowed(scope, reach, tool))
}

/**
 * Executes a read. A call that is invalid, not allowed, or refers to something that does not exist has a result with `isError`; so does a
 * write, which requires `executeApproved`.
 */
export async function execute(scope: Scope, agent: AgentRights, call: ToolCall): Promise<ToolResult> {
  const reach = new Reach(scope, agent)
  const tool = toolCalled(scope, reach, call.tool)
  if (tool?.kind !== 'read') return noSuchTool(call)
  return withoutThrow(() => tool.read(scope, reach, call.arguments))
}

/** A proposal for approval. The call refers to its page by id, so that exactly the approved change is executed. */
interface Proposal {
  readonly title: string
  readonly call: ToolCall
}

/** Checks a write that a runtime proposes, and describes it. */
export async function proposalOf(
  scope: Scope,
  agent: AgentRights,
  call: ToolCall,
): Promise<Proposal | { readonly refusal: ToolResult }> {
  const found = await prepareWrite(scope, new Reach(scope, agent), call)
  if ('refusal' in found) return found
  const { tool, prepared, page } = found
  return { title: prepared.title(page), call: { ...call, arguments: { ...call.arguments, [tool.target]: page.id } } }
}

/**
 * Executes an approved write with the current rights of the caller and the agent. A result with `isError` has changed nothing.
 * @throws ServiceError for errors that the call did not cause, such as `conflict_error`
 */
export async function executeApproved(scope: WriteScope, agent: AgentRights, call: ToolCall): Promise<ToolResult> {
  const found = await prepareWrite(scope, new Reach(scope, agent), call)
  if ('refusal' in found) return found.refusal
  return withoutThrow(() => found.prepared.write(scope, found.page))
}

/** A write with valid arguments and sufficient rights. */
interface FoundWrite {
  readonly tool: WriteTool
  readonly prepared: PreparedWrite
  readonly page: NamedPage
}

async function prepareWrite(scope: Scope, reach: Reach, call: ToolCall): Promise<FoundWrite | { readonly refusal: ToolResult }> {
  const tool = toolCalled(scope, reach, call.tool)
  if (tool?.kind !== 'write') return { refusal: noSuchTool(call) }
  const prepared = tool.prepare(call.arguments)
  if ('fault' in prepared) return { refusal: refusal(prepared.fault) }
  const found = await findReachablePage(scope, reach, prepared.pageName, tool.role)
  return 'refusal' in found ? found : { tool, prepared, page: found.page }
}

/** The default parent of new pages: the first page to whose content the agent's permissions allow writing. */
export async function defaultParentOf(scope: Scope, agent: AgentRights): Promise<RunInput['defaultParent']> {
  const reach = new Reach(scope, agent)
  for (const id of reach.namedPages(createPageTool.role)) {
    const found = await findReachablePage(scope, reach, id, createPageTool.role)
    if ('page' in found) return { id, title: found.page.title }
  }
  return undefined
}

function noSuchTool({ tool }: ToolCall): ToolResult {
  return refusal(`The tool ${tool} does not exist, or the agent may not use it.`)
}

/** Errors caused by the call, not by the service. */
const REFUSALS: ReadonlySet<string> = new Set(['validation_error', 'object_not_found', 'restricted_resource'])

async function withoutThrow(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError && REFUSALS.has(error.code)) return refusal(error.message)
    throw error
  }
}

import { randomBytes } from 'node:crypto'
import { newestRelease } from '../../generated/operations.ts'
import type { AgentConnection, WorkspacePermission } from '../../generated/types.ts'
import type { Actor } from '../../server/domain/shared/actor.ts'
import { authenticate } from '../../server/domain/people/authenticate.ts'
import type { RunInput, RunOutput, Runtime, SettledCall, ToolCall, ToolResult } from '../../server/domain/agents/runtime.ts'
import { execute, executeApproved, defaultParentOf, proposalOf, toolsFor } from '../../server/domain/agents/tools/index.ts'
import type { AgentRights } from '../../server/domain/agents/tools/reach.ts'
import type { Scope, WriteScope } from '../../server/domain/shared/scope.ts'
import { Cursors, ListCursors } from '../../server/kernel/cursors.ts'
import { FileLinks } from '../../server/kernel/file_links.ts'
import type { Connection, Transaction } from '../../server/store/database.ts'
import type { TestServer } from './server.ts'

/** An agent with these permissions in the workspace. */
export function agentWith(...permissions: readonly WorkspacePermission[]): AgentRights {
  return { type: 'custom_agent', connections: [workspaceConnection(permissions)], createdBy: null }
}

export function workspaceConnection(permissions: readonly WorkspacePermission[]): AgentConnection {
  return { type: 'workspace', name: 'Workspace', account: null, permissions: [...permissions] }
}

type Role = 'reader' | 'comment_only' | 'read_and_write' | 'editor'

export function onPage(id: string, role: Role): WorkspacePermission {
  return { target: { type: 'page', id }, scopes: [role] }
}

export function onWorkspace(role: Role): WorkspacePermission {
  return { target: { type: 'workspace' }, scopes: [role] }
}

/** The steps of one run, in order: `thinking`, `message`, `search_workspace`, `propose create_page` … */
export interface Run {
  readonly outputs: readonly RunOutput[]
  readonly steps: readonly string[]
  /** The last message. */
  readonly text: string
  readonly proposals: readonly { readonly title: string; readonly call: ToolCall }[]
  /** Every tool call with an immediate result. */
  readonly settled: readonly SettledCall[]
}

/** Executes the tool calls of a runtime on the real store, as the service does for a session, without storing a session. */
export class AgentHost {
  readonly #server: TestServer
  readonly #agent: AgentRights
  readonly #runtime: Runtime
  readonly #actor: Promise<Actor>

  constructor(server: TestServer, token: string, agent: AgentRights, runtime: Runtime) {
    this.#server = server
    this.#agent = agent
    this.#runtime = runtime
    this.#actor = Promise.resolve(authenticate(server.service.database, `Bearer ${token}`, server.clock.now()))
  }

  async read<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    return this.#server.service.database.read(async (db) => work(await this.#scope(db)))
  }

  write<T>(work: (scope: WriteScope) => Promise<T>): Promise<T> {
    return this.#server.service.database.write(async (db: Transaction) => work({ ...(await this.#scope(db)), db }))
  }

  /** Runs the runtime on a message, or continues it after decisions. */
  async run(message: string, more: Partial<RunInput> = {}): Promise<Run> {
    const input = await this.#input(message, more)
    const outputs: RunOutput[] = []
    const proposals: { title: string; call: ToolCall }[] = []
    const settled: SettledCall[] = []
    for await (const output of this.#runtime.run(input, new AbortController().signal)) {
      outputs.push(output)
      if (output.type === 'read') {
        const result = storedResult(await this.read((scope) => execute(scope, this.#agent, output.call)))
        settled.push({ ...output.call, kind: 'read', decision: undefined, result })
        output.settle(result)
      }
      if (output.type === 'propose') {
        const proposal = await this.read((scope) => proposalOf(scope, this.#agent, output.call))
        if ('title' in proposal) proposals.push(proposal)
        output.settle(proposal)
      }
    }
    const text = outputs.findLast((output) => output.type === 'message')?.text ?? ''
    return { outputs, proposals, settled, text, steps: outputs.filter(({ type }) => type !== 'partial').map(stepOf) }
  }

  /** Approves or rejects all proposals of a run, and continues the run. */
  async decide(message: string, { proposals }: Run, decision: 'approve' | 'reject', more: Partial<RunInput> = {}): Promise<Run> {
    const settled: SettledCall[] = []
    for (const { call } of proposals) {
      const result: ToolResult =
        decision === 'approve'
          ? storedResult(await this.write((scope) => executeApproved(scope, this.#agent, call)))
          : { isError: true, content: 'rejected by the user' }
      settled.push({ ...call, kind: 'write', decision, result })
    }
    return this.run(message, { settled, ...more })
  }

  async #input(text: string, more: Partial<RunInput>): Promise<RunInput> {
    return {
      workspaceId: (await this.#actor).workspaceId,
      agentId: '4f5a6b7c-8d9e-4fa0-b1c2-3d4e5f6a7b8c',
      sessionId: '0b0f7bb0-54b4-4a0b-8f0a-6f4b6f3f1c55',
      turn: 1,
      model: this.#runtime.models[0] ?? '',
      agent: { name: 'Harbour Hand', instructions: 'Be brief.' },
      history: [],
      message: { text, promptContext: undefined, attachments: [] },
      settled: [],
      tools: await this.read(async (scope) => toolsFor(scope, this.#agent)),
      budget: { tokens: 100_000, steps: 12 },
      defaultParent: await this.read((scope) => defaultParentOf(scope, this.#agent)),
      ...more,
    }
  }

  async #scope<Db extends Connection>(db: Db): Promise<Scope & { readonly db: Db }> {
    const [actor, now] = [await this.#actor, this.#server.clock.now()]
    const secret = Buffer.from(randomBytes(32))
    return {
      db,
      actor,
      now,
      baseUrl: this.#server.url,
      cursors: new ListCursors(new Cursors(secret), [actor.userId], () => [], now),
      version: newestRelease,
      files: { bytesMax: 1_000_000, links: new FileLinks(secret), brand: 'Service' },
    }
  }
}

/** A result as it would be after storing it. */
function storedResult(result: ToolResult): ToolResult {
  return JSON.parse(JSON.stringify(result)) as ToolResult
}

function stepOf(output: RunOutput): string {
  if (output.type === 'read') return output.call.tool
  return output.type === 'propose' ? `propose ${output.call.tool}` : output.type
}

import type { RunInput, RunOutput, ToolResult } from '../../server/domain/agents/runtime.ts'
import { appendBlockChildren } from '../../server/domain/content/blocks/blocks.ts'
import type { AgentDeps } from '../../server/service.ts'

/** The steps of the runtime in one run. */
export type Script = (input: RunInput, signal: AbortSignal) => AsyncIterable<RunOutput>

/**
 * A runtime with scripted runs, selected by the beginning of the message; by default it repeats the message. Its tools: `look`, `write`.
 */
export class ScriptedAgents implements AgentDeps {
  readonly #scripts = new Map<string, Script>()
  /** The executed tools, in order. */
  readonly executed: string[] = []
  /** Called by the tool `look`. */
  onLook: () => Promise<void> = () => Promise.resolve()
  /** Called by the tool `write` after it has written, before the commit. */
  onWritten: () => Promise<void> = () => Promise.resolve()

  add(beginning: string, script: Script): void {
    this.#scripts.set(beginning, script)
  }

  readonly runtimes: AgentDeps['runtimes'] = {
    for: (model) =>
      model.mode === 'pinned' && model.id === 'nobody-serves-this'
        ? undefined
        : { models: ['scripted'], run: (input, signal) => this.#scriptFor(input.message.text)(input, signal) },
  }

  readonly tools: AgentDeps['tools'] = {
    toolsFor: () => [],
    defaultParentOf: () => Promise.resolve(undefined),
    execute: async (_scope, _agent, { tool }) => {
      this.executed.push(tool)
      await this.onLook()
      return { isError: false, content: 'seen' }
    },
    proposalOf: (_scope, _agent, call) => Promise.resolve({ title: `Write ${String(call.arguments['text'])}`, call }),
    executeApproved: async (scope, _agent, { tool, arguments: { page, text } }): Promise<ToolResult> => {
      this.executed.push(tool)
      if (!scope.actor.capabilities.has('insert_content')) return { isError: true, content: 'may not' }
      await appendBlockChildren(scope, String(page), {
        children: [{ paragraph: { rich_text: [{ text: { content: String(text) } }] } }],
      })
      await this.onWritten()
      return {
        isError: false,
        content: 'written',
        artifact: { type: 'page', url: `https://workspace.example/${String(page)}`, title: 'Page' },
      }
    },
  }

  #scriptFor(text: string): Script {
    for (const [beginning, script] of this.#scripts) if (text.startsWith(beginning)) return script
    return echo
  }
}

async function* echo({ message }: RunInput): AsyncGenerator<RunOutput, void, undefined> {
  await Promise.resolve()
  yield { type: 'message', text: `Echo: ${message.text}` }
  yield { type: 'usage', inputTokens: 10, outputTokens: 5 }
}

/** Proposes to write these lines to a page and, after the decisions, reports their results. */
export function proposing(page: () => string, ...texts: readonly string[]): Script {
  return async function* ({ settled }): AsyncGenerator<RunOutput, void, undefined> {
    if (settled.length > 0) {
      yield { type: 'message', text: settled.map(({ decision, result }) => `${decision}: ${String(result.content)}`).join('; ') }
      return
    }
    for (const [index, text] of texts.entries()) {
      yield {
        type: 'propose',
        call: { callId: `call ${index}`, tool: 'write', arguments: { page: page(), text } },
        settle: () => undefined,
      }
    }
    yield { type: 'message', text: 'I would write.' }
    await Promise.resolve()
  }
}

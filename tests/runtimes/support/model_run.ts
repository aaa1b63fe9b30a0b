import { afterEach, beforeEach } from 'vitest'
import type { RunInput, RunOutput, RunTool, ToolResult } from '../../../server/domain/agents/runtime.ts'
import { modelEndpointRuntime } from '../../../server/runtimes/model_endpoint/model_endpoint_runtime.ts'
import { startModelServer, type ModelServer } from '../../harness/model_server.ts'

export let model: ModelServer
/** Recorded pauses between attempts, which tests skip. */
export let pauses: number[]
export let reported: string[]

/** Replaces the current model server. */
export async function restartModel(...options: Parameters<typeof startModelServer>): Promise<void> {
  model = await startModelServer(...options)
}

/** Starts a separate model for each test of a file. */
export function startModelForEach(): void {
  beforeEach(async () => {
    await restartModel()
    pauses = []
    reported = []
  })
  afterEach(() => model.close())
}

export const search: RunTool = {
  name: 'search_workspace',
  purpose: 'Finds pages.',
  kind: 'read',
  parameters: {
    type: 'object',
    required: ['terms'],
    properties: { terms: { type: 'array', items: { type: 'string' } } },
    additionalProperties: false,
  },
}
export const append: RunTool = {
  name: 'append_blocks',
  purpose: 'Adds paragraphs.',
  kind: 'write',
  parameters: { type: 'object', required: ['page'], properties: { page: { type: 'string' } }, additionalProperties: false },
}
export const plain: RunInput = {
  workspaceId: '3fb1a2c4-1d6e-4d0a-9a53-6cf1c1b4e9a7',
  agentId: '4f5a6b7c-8d9e-4fa0-b1c2-3d4e5f6a7b8c',
  sessionId: '0b0f7bb0-54b4-4a0b-8f0a-6f4b6f3f1c55',
  turn: 2,
  model: 'house-model',
  agent: { name: 'Harbour Hand', instructions: 'Be brief.' },
  history: [
    { role: 'user', text: 'Hello' },
    { role: 'agent', text: 'Ahoy' },
  ],
  message: { text: 'When does the ferry leave?', promptContext: undefined, attachments: [] },
  settled: [],
  tools: [search, append],
  budget: { tokens: 100_000, steps: 12 },
  defaultParent: undefined,
}

interface Host {
  readonly signal?: AbortSignal
  /** Returns results of reads. */
  read?(output: Extract<RunOutput, { type: 'read' }>): ToolResult
  /** Whether proposals are refused immediately. */
  readonly refuses?: boolean
}

/** Runs a turn to its end. */
export async function run(more: Partial<RunInput> = {}, host: Host = {}): Promise<RunOutput[]> {
  const runtime = modelEndpointRuntime(model.endpoint, {
    pause: async (milliseconds) => void pauses.push(milliseconds),
    report: ({ reason, status: code }) => void reported.push(`${reason} ${code ?? ''}`.trim()),
  })
  const outputs: RunOutput[] = []
  const signal = host.signal ?? new AbortController().signal
  for await (const output of runtime.run({ ...plain, ...more }, signal)) {
    outputs.push(output)
    if (output.type === 'read') output.settle(host.read?.(output) ?? { isError: false, content: { pages: ['Ferry'] } })
    if (output.type === 'propose')
      output.settle(host.refuses ? { refusal: { isError: true, content: { error: 'Not there.' } } } : { title: 'Append' })
  }
  return outputs
}

export const typesOf = (outputs: readonly RunOutput[]): string[] =>
  outputs.map(({ type }) => type).filter((type) => type !== 'partial')
export const messagesOf = (
  request: number,
): { role: string; content: string | null; tool_call_id?: string; tool_calls?: unknown[] }[] =>
  model.requests[request]?.body['messages'] as never

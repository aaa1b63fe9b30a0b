import type { RunInput, RunOutput } from '../domain/agents/index.ts'
import { estimateTokens } from './estimate_tokens.ts'

/** Counts tokens if the endpoint does not. Each text is counted separately. */
export class UsageCount {
  #input = 0
  #output = 0

  addInput(...texts: readonly string[]): void {
    for (const text of texts) this.#input += estimateTokens(text)
  }

  addOutput(text: string): void {
    this.#output += estimateTokens(text)
  }

  get total(): RunOutput {
    return { type: 'usage', inputTokens: this.#input, outputTokens: this.#output }
  }
}

/** All input of a run, except results of tools. */
export function inputTexts({ agent, history, message }: RunInput): string[] {
  return [
    agent.instructions,
    message.promptContext ?? '',
    ...history.map(({ text }) => text),
    message.text,
    ...message.attachments.map(({ text }) => text ?? ''),
  ]
}

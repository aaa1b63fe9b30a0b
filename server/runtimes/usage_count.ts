import type { RunInput, RunOutput } from '../domain/agents/runtime.ts'
import { tokensOf } from './tokens.ts'

/** Counts tokens where no endpoint does: each text by itself. */
export class UsageCount {
  #input = 0
  #output = 0

  read(...texts: readonly string[]): void {
    for (const text of texts) this.#input += tokensOf(text)
  }

  wrote(text: string): void {
    this.#output += tokensOf(text)
  }

  get total(): RunOutput {
    return { type: 'usage', inputTokens: this.#input, outputTokens: this.#output }
  }
}

/** Everything that a run is given to read, save results of tools. */
export function inputTexts({ agent, history, message }: RunInput): string[] {
  return [
    agent.instructions,
    message.promptContext ?? '',
    ...history.map(({ text }) => text),
    message.text,
    ...message.attachments.map(({ text }) => text ?? ''),
  ]
}

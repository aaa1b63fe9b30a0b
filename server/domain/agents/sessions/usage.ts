import type { SessionUsage } from '../../../../generated/types.ts'
import type { TurnRow } from '../../../store/session_turns.ts'

/** The total usage of a turn, as in its last status event. */
export function usageOf({ input_tokens, output_tokens }: TurnRow): { usage: SessionUsage } {
  return { usage: { total_tokens: input_tokens + output_tokens, input_tokens, output_tokens } }
}

import type { SessionUsage } from '../../../generated/types.ts'
import type { TurnRow } from '../../store/session_turns.ts'

/** What a turn has used so far, as its last status event says it. */
export function usageOf({ input_tokens, output_tokens }: TurnRow): { usage: SessionUsage } {
  return { usage: { total_tokens: input_tokens + output_tokens, input_tokens, output_tokens } }
}

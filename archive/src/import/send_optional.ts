import { refusalOf } from '@workspace-service/cloning/clone_context.ts'
import type { OmittedContent } from '../manifest.ts'

/**
 * Sends a request that the import can do without, and notes a refusal.
 * @returns whether it was accepted
 */
export async function sendOptional(
  { leftOut }: { readonly leftOut: OmittedContent[] },
  what: string,
  where: string,
  send: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await send()
    return true
  } catch (error) {
    leftOut.push({ what, where, reason: refusalOf(error) })
    return false
  }
}

/** Sends a request that has an alternative. @returns whether it was accepted */
export function isTaken(send: () => Promise<unknown>): Promise<boolean> {
  return sendOptional({ leftOut: [] }, '', '', send)
}

import { refusalOf } from '../../cloning/clone_parts.ts'
import type { OmittedContent } from '../manifest.ts'

/** Sends a request without which the import goes on, and notes a refusal. @returns whether the request was taken */
export async function sendOrLeaveOut(
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

/** Sends a request for which there is another way. @returns whether it was taken */
export function isTaken(send: () => Promise<unknown>): Promise<boolean> {
  return sendOrLeaveOut({ leftOut: [] }, '', '', send)
}

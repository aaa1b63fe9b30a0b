import type { ServerContext } from '@modelcontextprotocol/server'

/** Reports how many steps of a long tool are done. */
export type ReportProgress = (done: number, total: number) => Promise<void>

export const noProgress: ReportProgress = async () => {}

/** Sends notifications if the request of a client asks for them. */
export function progressOf({ mcpReq: { _meta, notify } }: ServerContext): ReportProgress {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return noProgress
  return (progress, total) => notify({ method: 'notifications/progress', params: { progressToken, progress, total } })
}

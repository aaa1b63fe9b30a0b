import type { Run } from '@workspace-service/conformance/run.ts'
import type { CommandContext } from './command_context.ts'
import { CommandError, exitCodes } from './exit_codes.ts'

export interface FullConformance {
  readonly run: Run
  readonly target: URL
  readonly token: string
  readonly insideId: string | undefined
  readonly agentId: string | undefined
  readonly samples: number
  readonly requestsMax: number
  readonly only: ReadonlySet<string> | undefined
}

/**
 * Runs all checks inside a test page, and always removes the page: also when the run is interrupted or reaches its maximum of requests.
 * Shows no progress bar, because it would end the process on Ctrl-C.
 * @returns the additional lines of the summary
 */
export async function conformFully(context: CommandContext, options: FullConformance): Promise<readonly string[]> {
  const { run, target, token, insideId, agentId, samples, requestsMax, only } = options
  const [{ ConformClient }, { FullRun }, { NoParentPage }] = await Promise.all([
    import('@workspace-service/conformance/conform/conform_client.ts'),
    import('@workspace-service/conformance/conform/full/full_run.ts'),
    import('@workspace-service/conformance/conform/full/run_page.ts'),
  ])
  const onWait = (seconds: number): void => context.output.note(`The server asks to wait ${seconds} s.`)
  const interruption = interrupted(() => context.output.note('Interrupted: the page is being moved to the trash.'))
  let reportedTenths = 0
  const full = new FullRun({
    run,
    client: new ConformClient(run, target, token, { onWait, signal: interruption.signal, requestsMax }),
    cleaner: new ConformClient(run, target, token, { onWait }),
    samples,
    ...(insideId !== undefined && { insideId }),
    ...(agentId !== undefined && { agentId }),
    ...(only && { only }),
    onPage: (pageId, placeId) => context.output.note(`All records are created in the page ${pageId}, inside ${placeId}.`),
    onProgress: (share) => {
      const tenths = Math.floor(share * 10)
      if (tenths > reportedTenths) context.output.note(`${tenths * 10} % done`)
      reportedTenths = Math.max(reportedTenths, tenths)
    },
  })
  try {
    const { stopped, failure, left } = await full.run()
    if (stopped === 'interrupted') process.exitCode = exitCodes.canceled
    if (left.length > 0) process.exitCode ??= exitCodes.failed
    return [
      ...(stopped === 'interrupted' ? ['The run was interrupted.'] : []),
      ...(stopped === 'requests' ? [`The run ended after ${requestsMax} requests; --requests allows more.`] : []),
      ...(failure === undefined ? [] : [`The run failed: ${failure}.`]),
      ...left.map((what) => `Not removed: ${what}.`),
      ...(left.length === 0 ? ['The page is in the trash.'] : []),
    ]
  } catch (error) {
    throw error instanceof NoParentPage ? new CommandError(error.message) : error
  } finally {
    interruption.done()
  }
}

/** Waits for the first signal; a second one ends the process at once. */
function interrupted(onSignal: () => void): { readonly signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const abort = (): void => {
    onSignal()
    controller.abort()
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, abort)
  return {
    signal: controller.signal,
    done: () => {
      for (const signal of signals) process.removeListener(signal, abort)
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { carryOutImport, nextImport, type ImportParts } from '../domain/file_uploads/import.ts'

export interface Importer {
  /** Aborts running imports; another process starts them over. */
  stop(): Promise<void>
}

const INTERVAL_MS = 500
const AT_ONCE_MAX = 4

/** Imports files from other hosts, a few at a time. All processes on a database share the due imports. */
export function startImporter(parts: Omit<ImportParts, 'onFault'>, log: Logger): Importer {
  const ending = new AbortController()
  const running = new Set<Promise<void>>()
  const own: ImportParts = {
    ...parts,
    onFault: (error) => log.error({ err: error }, 'an import failed by a fault of the service'),
  }
  const done = run(own, running, log, ending.signal)
  return {
    async stop() {
      ending.abort()
      await done
      await Promise.all(running)
    },
  }
}

async function run(parts: ImportParts, running: Set<Promise<void>>, log: Logger, signal: AbortSignal): Promise<void> {
  let wake = Promise.withResolvers<true>()
  while ((await Promise.race([waited(INTERVAL_MS, signal), wake.promise])) && !signal.aborted) {
    wake = Promise.withResolvers()
    try {
      while (running.size < AT_ONCE_MAX && !signal.aborted) {
        const claim = await nextImport(parts)
        if (!claim) break
        const work = carryOutImport(parts, claim, signal)
          .catch((error: unknown) => log.warn({ err: error }, 'an import was interrupted'))
          .finally(() => {
            running.delete(work)
            // There is room for the next one.
            wake.resolve(true)
          })
        running.add(work)
      }
    } catch (error) {
      log.warn({ err: error }, 'looking for imports failed')
    }
  }
}

async function waited(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return pause(milliseconds, true, { signal, ref: false }).catch(() => false)
}

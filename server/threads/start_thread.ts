import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread that keeps no process alive.
 * @param name of its program, which lies beside this module and is of the same kind: TypeScript among sources, JavaScript in a bundle
 */
export function startThread(name: string, options: Pick<WorkerOptions, 'workerData' | 'resourceLimits'>): Worker {
  const own = new URL(import.meta.url).pathname
  const program = new URL(`./${name}${own.slice(own.lastIndexOf('.'))}`, import.meta.url)
  const thread = new Worker(program, { ...options, name, env: environment() })
  thread.unref()
  return thread
}

/** Threads take up the compile cache only from their environment. */
function environment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  // That of this release of the runtime is inside the one that was asked for.
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) }
}

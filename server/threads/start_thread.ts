import { getCompileCacheDir } from 'node:module'
import { basename, dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * In MiB, of each half of a thread's young generation. `keepYoungGeneration` lets none grow, and the engine begins with a quarter of this: a
 * thread that delivers events would spend an eighth of its time on collecting.
 */
const YOUNG_HALF = 4

/**
 * Starts a thread that does not keep the process alive.
 * @param module its program: the path from the root of the repository, without the extension. In a bundle, all programs are beside this module.
 */
export function startThread(module: string, options: Pick<WorkerOptions, 'workerData' | 'resourceLimits'>): Worker {
  const name = basename(module)
  const isBundled = import.meta.url.endsWith('.js')
  const program = new URL(isBundled ? `./${name}.js` : `../../${module}.ts`, import.meta.url)
  // Read when a heap is made, so it concerns no other.
  setFlagsFromString(`--min-semi-space-size=${YOUNG_HALF}`)
  const thread = new Worker(program, { ...options, name, env: environment() })
  thread.unref()
  return thread
}

/** Threads find the compile cache only through their environment. */
function environment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  // The folder of this release of the runtime is inside the configured one.
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) }
}

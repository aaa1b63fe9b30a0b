import { Worker } from 'node:worker_threads'

/** Starts the thread that converts long pages. It does not keep the process alive. In a bundle, its script is beside this module. */
export function startConversionThread(): Worker {
  const ending = import.meta.url.endsWith('.js') ? 'js' : 'ts'
  const thread = new Worker(new URL(`./conversion_thread.${ending}`, import.meta.url), { name: 'conversion_thread' })
  thread.unref()
  return thread
}

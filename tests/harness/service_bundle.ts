import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'
import { onceInRun } from './once_in_run.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Large packages that are imported on demand; they are not bundled. */
const SELDOM_NEEDED = /^(?:openai|@aws-sdk\/.*|@redis\/client|@zxcvbn-ts\/.*)$/

/**
 * Bundles a program into a few files, once in a run. Finding and loading its 1,300 modules takes half of the service's start time, and
 * tests start it some hundred times. Tests that use `spawnService`, and tests of workers and of the command line, show that the service
 * also starts from its own files.
 * @param program its path from the root of the repository
 * @returns the path of the script to start instead
 */
export async function bundled(program: string): Promise<string> {
  const folder = await onceInRun(`bundles/${program.replaceAll('/', '_')}`, async (dir) => {
    const bundle = await rolldown({
      input: { main: join(ROOT, program) },
      platform: 'node',
      external: ['pg-native'],
      treeshake: false,
      logLevel: 'silent',
      plugins: [keepPaths(join(ROOT, program))],
    })
    await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js' })
    await bundle.close()
    writeFileSync(join(dir, 'package.json'), '{ "type": "module" }')
  })
  return join(folder, 'main.js')
}

/** Keeps the paths of modules, so that each finds the files beside it. Only the compile cache is in the folder of the bundle. */
const keepPaths = (program: string): Plugin => ({
  name: 'in-place',
  resolveId: (id) => (SELDOM_NEEDED.test(id) ? { id: import.meta.resolve(id), external: true } : undefined),
  transform: {
    filter: { code: 'import.meta.' },
    handler(code, id) {
      if (id === program) return undefined
      const [url, folder] = [JSON.stringify(pathToFileURL(id).href), JSON.stringify(dirname(id))]
      return { code: code.replaceAll('import.meta.url', url).replaceAll('import.meta.dirname', folder), map: null }
    },
  },
})

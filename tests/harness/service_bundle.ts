import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'
import { inject } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PATIENCE_MS = 120_000

/** What is imported only when it is needed, and large: it stays where it is. */
const SELDOM_NEEDED = /^(?:openai|@aws-sdk\/.*|@redis\/client|@zxcvbn-ts\/.*)$/

/**
 * A program in a few files, made once in a run. Half of what a start of the service costs is to find and to load its 1,300 modules; the
 * tests start it some hundred times. It is the same code, run by the same Node. That it starts from its own files as well is shown
 * by the tests that use `spawnService`, by those of workers, and by those of the command line.
 * @param program its path from the root
 * @returns the path of what to start in its place
 */
export async function bundled(program: string): Promise<string> {
  const folder = join(inject('scratchFolder'), 'bundles', program.replaceAll('/', '_'))
  const main = join(folder, 'main.js')
  if (existsSync(main)) return main
  // The first worker to ask makes it, and the others wait.
  mkdirSync(dirname(folder), { recursive: true })
  if (isTaken(`${folder}.begun`)) return appearing(main)
  const bundle = await rolldown({
    input: { main: join(ROOT, program) },
    platform: 'node',
    external: ['pg-native'],
    treeshake: false,
    logLevel: 'silent',
    plugins: [inPlace(join(ROOT, program))],
  })
  await bundle.write({ dir: `${folder}.new`, format: 'esm', entryFileNames: '[name].js' })
  await bundle.close()
  writeFileSync(join(`${folder}.new`, 'package.json'), '{ "type": "module" }')
  renameSync(`${folder}.new`, folder)
  return main
}

/** Each module still finds what lies beside it; only where the program itself keeps what Node has compiled is below the bundles. */
const inPlace = (program: string): Plugin => ({
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

function isTaken(folder: string): boolean {
  try {
    mkdirSync(folder)
    return false
  } catch {
    return true
  }
}

async function appearing(path: string): Promise<string> {
  for (const end = performance.now() + PATIENCE_MS; !existsSync(path);) {
    if (performance.now() > end) throw new Error(`nobody made ${path}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return path
}

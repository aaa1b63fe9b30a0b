import { readFileSync } from 'node:fs'
import { cp, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { projectRoot } from '../generate/files.ts'

/** The entry points by their output files. */
const ENTRIES = {
  'cli/main': 'cli/main.js',
  'server/main': 'server/main.js',
  'server/conversion_thread': 'archive/src/foreign/conversion_thread.ts',
  'server/index': 'server/package/index.ts',
  'server/router': 'server/router.ts',
  'server/contract': 'server/package/contract.ts',
  'server/testing': 'testkit/src/index.ts',
  'server/testing_vitest': 'testkit/src/vitest.ts',
  'server/testing_jest': 'testkit/src/jest.ts',
  'server/testing_node': 'testkit/src/node.ts',
  'server/client': 'client/src/index.ts',
  'server/msw': 'fakes/msw.ts',
}
/** Packages that are large and rarely needed. Users whose settings require them install them. */
export const OPTIONAL_PACKAGES = ['@aws-sdk/client-s3', '@aws-sdk/lib-storage', '@redis/client'] as const
/** Files beside the server's modules that it reads when it runs. */
const READ_AT_RUN_TIME = ['bootstrap/sample', 'kernel/collation_order.txt']

/**
 * Bundles the server and the client with their imports into `<out>/server`, and the start of the command line into `<out>/cli`.
 * @returns the folders of the packages whose code is in it
 */
export async function bundleProgram(out: string): Promise<readonly string[]> {
  const bundle = await rolldown({
    cwd: projectRoot,
    input: ENTRIES,
    platform: 'node',
    external: ['pg-native', 'vitest', 'msw', ...OPTIONAL_PACKAGES],
    plugins: [rewriteOwnPaths, oncePerRelease()],
    // The router and the reader of foreign pages only use a part of these modules, and load only that part.
    treeshake: { moduleSideEffects: [{ test: /server[\\/]domain[\\/](?:content|data)[\\/]/, sideEffects: false }] },
  })
  const { output } = await bundle.write({
    dir: out,
    format: 'esm',
    // Removing white space saves a quarter; names stay, for stack traces.
    minify: { compress: false, mangle: false, codegen: true },
    entryFileNames: '[name].js',
    chunkFileNames: 'server/[name]-[hash].js',
  })
  await bundle.close()
  for (const file of output) if (file.type === 'chunk') await writeFile(join(out, file.fileName), asciiOnly(file.code))
  for (const name of READ_AT_RUN_TIME) await cp(join(projectRoot, 'server', name), join(out, 'server', name), { recursive: true })
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  return [...new Set(modules.map(packageOf).filter((name) => name !== undefined))].toSorted()
}

/** Escapes characters that are not ASCII: the engine stores an ASCII-only text in half the memory and reads it faster. */
function asciiOnly(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Rewrites files that modules locate by `import.meta`: in the bundle, all files are in one folder. */
const rewriteOwnPaths: Plugin = {
  name: 'from-its-place',
  transform: {
    filter: { id: { exclude: /node_modules/ }, code: 'import.meta.' },
    handler(code, id) {
      const path = relative(join(projectRoot, 'server'), id).replaceAll('\\', '/')
      const url =
        basename(path) === 'start_conversion_thread.ts'
          ? 'import.meta.url'
          : `new URL(${JSON.stringify(path)}, import.meta.url).href`
      return { code: code.replaceAll('import.meta.url', url), map: null }
    },
  },
}

/** Bundles a release of a package once, even where npm has installed it in several folders. */
function oncePerRelease(): Plugin {
  const folders = new Map<string, string>()
  const firstFolderOf = (folder: string): string => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<'name' | 'version', string>
    const release = `${name}@${version}`
    return folders.get(release) ?? (folders.set(release, folder), folder)
  }
  return {
    name: 'once-per-release',
    async resolveId(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      const folder = found && !found.external ? packageOf(found.id) : undefined
      return found && folder !== undefined ? { ...found, id: found.id.replace(folder, firstFolderOf(folder)) } : found
    },
  }
}

function packageOf(module: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module.replaceAll('\\', '/').replace(/^\0/, ''))?.[0]
}

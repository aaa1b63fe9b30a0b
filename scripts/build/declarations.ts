import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../generate/files.ts'
import { workspaces } from '../workspaces.ts'

const run = promisify(execFile)
/** The scope of the project's own packages. */
const OWN = '@workspace-service'
const ENTRIES = [
  'server/package/index.ts',
  'server/router.ts',
  'server/package/contract.ts',
  'testkit/src/index.ts',
  'testkit/src/vitest.ts',
  'testkit/src/jest.ts',
  'testkit/src/node.ts',
  'client/src/index.ts',
  'fakes/msw.ts',
]

/** Writes the exported types of the package, and the types that they refer to, into the folder. */
export async function writeDeclarations(folder: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'declarations-'))
  try {
    const findings = await compile(scratch)
    const files = await filesNamed(scratch)
    // Errors in other parts of the server do not matter here.
    const found = findings.filter(({ file }) => files.has(declarationOf(file)))
    if (found.length > 0) throw new Error(found.map(({ line }) => line).join('\n'))
    for (const file of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), await declarationsIn(scratch, file))
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

interface Finding {
  readonly file: string
  readonly line: string
}

async function compile(outDir: string): Promise<readonly Finding[]> {
  const config = join(outDir, 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    stripInternal: true,
    // `npm run typecheck` checks the types.
    noCheck: true,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    allowJs: false,
    checkJs: false,
    rootDir: projectRoot,
    // Files in node_modules/ are not compiled.
    paths: Object.fromEntries(workspaces.map((name) => [`${OWN}/${name}/*`, [join(projectRoot, sourcesOf(name), '*')]])),
    outDir,
    typeRoots: [join(projectRoot, 'node_modules/@types')],
  }
  const files = ENTRIES.map((entry) => join(projectRoot, entry))
  await writeFile(config, JSON.stringify({ extends: join(projectRoot, 'tsconfig.json'), compilerOptions, files, include: [] }))
  const command = [join(projectRoot, 'node_modules/typescript-native/bin/tsc'), '-p', config, '--pretty', 'false']
  const output = await run(process.execPath, command, { cwd: projectRoot, maxBuffer: 1 << 26 }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  )
  return output.split('\n').flatMap((line) => {
    const file = /^(\S+?)\(\d+,\d+\): error/.exec(line)?.[1]
    return file === undefined ? [] : [{ file, line }]
  })
}

/** The declarations of the entries and everything that they refer to. */
async function filesNamed(folder: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const waiting = ENTRIES.map((entry) => declarationOf(entry))
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    const text = await declarationsIn(folder, file)
    for (const [, path = ''] of text.matchAll(/(?:from |import\()["'](\.[^"']+)["']/g))
      waiting.push(declarationOf(relative(folder, join(folder, dirname(file), path))))
  }
  return found
}

/** The source folder behind the `exports` of one of the project's packages. */
function sourcesOf(name: string): string {
  return name === 'server' ? name : `${name}/src`
}

/** Replaces imports of the project's own packages by relative paths: in the published package all files are together. */
function withRelativePaths(text: string, file: string): string {
  return text.replaceAll(/(?<=["'])@workspace-service\/(\w+)\/([^"']+)\.ts(?=["'])/g, (_, name: string, path: string) => {
    const from = relative(dirname(file), `${sourcesOf(name)}/${path}`)
    return `${from.startsWith('.') ? from : `./${from}`}.js`
  })
}

async function declarationsIn(folder: string, file: string): Promise<string> {
  return withoutIndexes(folder, withRelativePaths(await readFile(join(folder, file), 'utf8'), file), file)
}

/** The index of a module of the domain. */
const INDEX = /^server\/domain\/\w+\/index[.]d[.]ts$/
const NAMED = /^(import|export)( type)? \{([^}]*)\} from ["'](\.[^"']+)["'];?$/gm

/** Imports names from the files that declare them instead of from an index, which would bring the types of a whole module. */
function withoutIndexes(folder: string, text: string, file: string): string {
  const pathOf = (path: string, name: string): string => {
    const index = declarationOf(join(dirname(file), path))
    if (!INDEX.test(index)) return path
    const found = relative(dirname(file), join(dirname(index), originIn(join(folder, index), name)))
    return found.startsWith('.') ? found : `./${found}`
  }
  return text
    .replaceAll(NAMED, (_, keyword: string, type = '', names: string, path: string) => {
      const each = names.split(',').flatMap((one) => one.trim() || [])
      const byPath = [...Map.groupBy(each, (one) => pathOf(path, bareName(one)))]
      return byPath.map(([from, own]) => `${keyword}${type} { ${own.join(', ')} } from '${from}';`).join('\n')
    })
    .replaceAll(/import\(["'](\.[^"']+)["']\)\.(\w+)/g, (_, path: string, name: string) => {
      return `import('${pathOf(path, name)}').${name}`
    })
}

/** @returns the path from which an index exports a name */
function originIn(index: string, name: string): string {
  const exports = readFileSync(index, 'utf8').matchAll(NAMED)
  const found = exports.find(([, , , names = '']) => names.split(',').some((one) => bareName(one) === name))
  if (found === undefined) throw new Error(`${index} does not export ${name}`)
  return found[4] ?? ''
}

/** A name of an import or export, without `type` and without its new name. */
function bareName(name: string): string {
  return name.trim().replaceAll(/^type | as .*$/g, '')
}

function declarationOf(path: string): string {
  return path.replace(/\.(?:d\.ts|[jt]s)$/, '.d.ts')
}

/** The client with the names of a brand, as a separate package that is ready for `npm install` and `npm pack`. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { capabilityWords, operationRows, operationsModule, pageSizeDefault, pathPatterns } from '../generate/operations.ts'
import { clientOperationsModule, resourcesModule } from '../generate/client.ts'
import { errorCodesModule } from '../generate/error_codes.ts'
import { projectRoot } from '../generate/files.ts'
import type { GeneratedFiles } from '../generate/generate.ts'
import { typesModule } from '../generate/types.ts'
import { releaseDates } from '../generate/versions.ts'
import type { BrandedContract } from './brand.ts'

/** Imports of `generated/` in the sources of the client; in the package, that folder is elsewhere. */
const GENERATED = /'\.\.\/\.\.\/generated\//g
const TYPE_IMPORT = /(import type \{)([^}]*)(\} from '\.\.\/generated\/types\.ts')/g

/** The files of the package by path. */
export async function clientFiles({ document, words }: BrandedContract): Promise<GeneratedFiles> {
  const home = join(projectRoot, 'client')
  const names = (await readdir(join(home, 'src'))).filter((name) => name.endsWith('.ts'))
  const sources = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const text = words.names(await readFile(join(home, 'src', name), 'utf8')).replaceAll(GENERATED, "'../generated/")
      return [
        `src/${name}`,
        text.replaceAll(TYPE_IMPORT, (_, start, list, end) => `${start}${aliases(words.schemaName, list)}${end}`),
      ]
    }),
  )
  return {
    ...Object.fromEntries(sources),
    'generated/types.ts': await typesModule(document),
    'generated/operations.ts': operationsModule(
      operationRows(document),
      pathPatterns(document),
      releaseDates(document),
      pageSizeDefault(document),
      capabilityWords(document),
    ),
    'generated/client_operations.ts': clientOperationsModule(document),
    'generated/resources.ts': resourcesModule(document),
    'generated/error_codes.ts': errorCodesModule(document),
    'README.md': words.text(await readFile(join(home, 'README.md'), 'utf8')),
    // Copied without changes: a copyright notice must not be altered.
    LICENSE: await readFile(join(home, 'LICENSE'), 'utf8'),
    'package.json': await packageFile(home, words.names),
    'tsconfig.json': await compilerFile(home),
    'tsconfig.cjs.json': await readFile(join(home, 'tsconfig.cjs.json'), 'utf8'),
  }
}

/** `Session, PageObject` -> `AcmeSession as Session, AcmePageObject as PageObject` */
function aliases(schemaName: (name: string) => string, list: string): string {
  return list.replaceAll(/\w+(?: as \w+)?/g, (item) => (schemaName(item) === item ? item : `${schemaName(item)} as ${item}`))
}

async function packageFile(home: string, names: (text: string) => string): Promise<string> {
  const own = JSON.parse(
    names(await readFile(join(home, 'package.json'), 'utf8')).replaceAll(/dist\/(cjs\/)?client\/src\//g, 'dist/$1src/'),
  ) as object
  const { devDependencies } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
    devDependencies: Readonly<Record<string, string>>
  }
  const { typescript, '@types/node': node } = devDependencies
  return json({ ...own, devDependencies: { typescript, '@types/node': node } })
}

async function compilerFile(home: string): Promise<string> {
  const read = async (file: string): Promise<Record<string, Record<string, unknown>>> => JSON.parse(await readFile(file, 'utf8'))
  const [{ compilerOptions: common }, { compilerOptions: own }] = await Promise.all([
    read(join(projectRoot, 'tsconfig.json')),
    read(join(home, 'tsconfig.json')),
  ])
  return json({ compilerOptions: { ...common, ...own, rootDir: '.' }, include: ['src'] })
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../generate/files.ts'
import { OPTIONAL_PACKAGES } from './program.ts'

interface Manifest {
  readonly [field: string]: unknown
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Fields of the project's package.json that the published one contains unchanged. */
const COPIED_FIELDS = ['name', 'version', 'description', 'keywords', 'license', 'type', 'publishConfig'] as const
/** Packages that the types refer to, for users of TypeScript. Everything else is in the bundle. */
const TYPES = ['@types/express', '@types/node'] as const

/** Tools that the test kit and the fakes integrate with; optional peers, since the caller installs them. */
const TEST_TOOLS = { vitest: '>=5', msw: '>=2.7' } as const

/**
 * The package.json of the published package.
 * @param name of the package, if it is another than the project's
 * @param repository address of the public repository, if there is one
 */
export async function manifest(name: string | undefined, repository: string | undefined): Promise<object> {
  const project = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as Manifest
  const versions: Readonly<Record<string, string>> = { ...project.devDependencies, ...project.dependencies }
  const range = (dependency: string): string => `^${versions[dependency]}`
  const optional = [...OPTIONAL_PACKAGES, ...TYPES]
  const address = repository?.replace(/\.git$/, '')
  return {
    ...Object.fromEntries(COPIED_FIELDS.map((field) => [field, project[field]])),
    ...(name !== undefined && { name }),
    ...(repository !== undefined && {
      repository: { type: 'git', url: `git+${address}.git` },
      homepage: `${address}#readme`,
      bugs: { url: `${address}/issues` },
    }),
    engines: { node: `>=${await oldestNode()}` },
    bin: { 'workspace-service': 'bin/workspace-service.cjs' },
    exports: {
      '.': entry('server/package/index', 'server/index'),
      './server': entry('server/router'),
      './contract': entry('server/package/contract', 'server/contract'),
      './testing': entry('testkit/src/index', 'server/testing'),
      './testing/seed.schema.json': './contract/seed.schema.json',
      './testing/vitest': entry('testkit/src/vitest', 'server/testing_vitest'),
      './testing/jest': entry('testkit/src/jest', 'server/testing_jest'),
      './testing/node': entry('testkit/src/node', 'server/testing_node'),
      './client': entry('client/src/index', 'server/client'),
      './msw': entry('fakes/msw', 'server/msw'),
      './contract/schemas.json': './contract/schemas.json',
      './contract/examples.json': './contract/examples.json',
      './contract/openapi.json': './generated/openapi.json',
      './contract/*.yaml': './generated/*.yaml',
      './package.json': './package.json',
    },
    peerDependencies: { ...Object.fromEntries(optional.map((one) => [one, range(one)])), ...TEST_TOOLS },
    peerDependenciesMeta: Object.fromEntries([...optional, ...Object.keys(TEST_TOOLS)].map((one) => [one, { optional: true }])),
  }
}

/** The oldest supported release of Node.js; the command line and `npm start` read the same file. */
async function oldestNode(): Promise<string> {
  const release = JSON.parse(await readFile(join(projectRoot, 'bin/oldest_node.json'), 'utf8')) as readonly number[]
  return release.join('.')
}

function entry(source: string, program = source): object {
  return { types: `./types/${source}.d.ts`, default: `./${program}.js` }
}

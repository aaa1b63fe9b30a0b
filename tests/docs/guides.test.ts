import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { releaseDates } from '../../generated/operations.ts'
import { pagesOf } from '../../scripts/docs/pages/index.ts'
import { operationsOf } from '../../scripts/generate/document.ts'
import { makeProgram } from '../../cli/src/program.ts'
import { settings, type Setting } from '../../server/config/settings.ts'
import { Faults } from '../../server/faults/faults.ts'
import { functionNames } from '../formulas/support/function_names.ts'
import { callsIn, unknownWord } from './support/command_words.ts'
import { readSources } from './support/sources.ts'

/** Option names in the guides' programs, which the compiler checks. */
const kitNames = [...Object.getOwnPropertyNames(Faults.prototype), 'retryAfter', 'useTestServer']
const clientNames = ['verifyWebhook']

/** Everything named in the guides exists: files, commands, settings. */

const root = resolve(import.meta.dirname, '../..')
const written = readdirSync(join(root, 'spec/guides')).map((name) => `spec/guides/${name}`)
const guides = [
  'README.md',
  'OPERATIONS.md',
  'PACKAGE.md',
  'CLIENTS.md',
  'CONTRIBUTING.md',
  'client/README.md',
  'spec/README.md',
  'bench/README.md',
  ...readdirSync(join(root, 'decisions')).map((name) => `decisions/${name}`),
  ...written,
]
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const { scripts: clientScripts } = JSON.parse(read('client/package.json')) as { scripts?: Record<string, string> }

// If you are here because a name is listed: the guide names something that no longer exists. Update the guide.
const FILE = /`((?:spec|server|scripts|generated|client|tests|bench)\/[\w./-]*)`/g
const LINK = /\]\((?!https?:|file-upload:|#|mailto:)([^)#\s]+)/g
const COMMAND = /(?:^|`|&& |: )npm (?:run )?([a-z][\w:-]*)/gm
const CODE = /^ *(`{3,})[\s\S]*?^ *\1$|`[^`\n]*`/gm
/** Commands that fetch a package named `workspace-service` from the registry if it is not installed. `--no` prevents that. */
const FETCHED =
  /\b(?:npx|npm exec|npm x|pnpx|bunx|pnpm dlx|yarn dlx) (?!--no -- )(?:-\S+ )*(?:@[\w-]+\/)?workspace-service\b(?!-\d)/g
const NPM_ITSELF = ['ci', 'exec', 'init', 'install', 'pack']

const [sources] = await readSources()
const sitePaths = new Set([
  ...pagesOf(sources).map(({ path }) => `${path}.md`),
  ...['openapi.yaml', 'llms.txt', 'llms-full.txt', 'sitemap.txt'],
])

describe.each(guides)('%s', (guide) => {
  const text = read(guide)
  const base = dirname(join(root, guide))

  it('names only files and folders that exist', () => {
    const named = [...text.matchAll(FILE)].map(([, path = '']) => path)
    expect(named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(base, path)))).toEqual([])
    const linked = [...text.replaceAll(CODE, '').matchAll(LINK)].map(([, path = '']) => path)
    const exists = written.includes(guide)
      ? (path: string) => sitePaths.has(join('guides', path))
      : (path: string) => existsSync(join(base, path))
    expect(linked.filter((path) => !exists(path))).toEqual([])
  })

  it('names only npm commands that exist', () => {
    const named = [...text.matchAll(COMMAND)].map(([, name = '']) => name)
    const known = [...Object.keys(scripts), ...Object.keys(clientScripts ?? {}), ...NPM_ITSELF]
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  it('never makes npm fetch the package by its name, which another publisher might register', () => {
    expect([...text.matchAll(FETCHED)].map(([call]) => call)).toEqual([])
  })

  it('calls the command line only with commands and options that exist', () => {
    const unknown = callsIn(text).flatMap((call) => {
      const word = unknownWord(makeProgram(), call)
      return word === undefined ? [] : [`${word}: workspace-service ${call}`]
    })
    expect(unknown).toEqual([])
  })
})

describe.each(written)('%s', (guide) => {
  const text = read(guide)

  it('names only operations and settings that exist', () => {
    const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    const operations = new Set(operationsOf(sources.document).map(({ operation }) => operation.operationId))
    const named = [...prose.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name = '']) => name)
    expect(named.filter((name) => ![...operations, ...functionNames, ...clientNames, ...kitNames].includes(name))).toEqual([])
    const set = [...text.matchAll(/(?:^|`|&& )([A-Z]+_[A-Z_]+)=/gm)].map(([, name = '']) => name)
    expect(set.filter((name) => !(name in settings))).toEqual([])
  })

  it('contains only valid JSON', () => {
    for (const [, json = ''] of text.matchAll(/^ *```json\n([\s\S]*?)\n *```$/gm))
      expect(() => JSON.parse(json), json).not.toThrow()
  })
})

it('the text of the first start contains no command that makes npm fetch the package by its name', () => {
  expect([...read('server/bootstrap/welcome.ts').matchAll(FETCHED)]).toEqual([])
  expect('npx workspace-service --test; npx -y workspace-service; npx --no -- workspace-service'.match(FETCHED)).toHaveLength(2)
})

describe('the check of command lines in a text', () => {
  it.each([
    ['a command', '`workspace-service launch`', 'launch'],
    ['a command of a group', '```sh\nnpm exec workspace-service -- token mint "A name" # a comment\n```', 'mint'],
    ['an option', '`workspace-service token create --color red`', '--color'],
  ])('reports %s that does not exist', (_, text, word) => {
    expect(callsIn(text).map((call) => unknownWord(makeProgram(), call))).toEqual([word])
  })

  it('finds commands in the guide for operators', () => {
    expect(callsIn(read('OPERATIONS.md')).length).toBeGreaterThan(20)
  })
})

describe('the guide to upgrading', () => {
  it('has a step from each version to the next', () => {
    const [first = '', ...later] = releaseDates
    const steps = later.map((release, index) => `${index === 0 ? first : releaseDates[index]} to ${release}`)
    const documented = [...read('spec/guides/08-upgrading.md').matchAll(/^## From (.+)$/gm)].map(([, step]) => step)
    expect(documented).toEqual(steps)
  })
})

describe('the text', () => {
  it.each([
    ['README.md', 1200],
    ['CONTRIBUTING.md', 2500],
  ])('of %s has at most %i words', (path, words) => {
    expect(read(path).trim().split(/\s+/).length).toBeLessThanOrEqual(words)
  })

  it.each(['README.md', 'OPERATIONS.md'])('of %s has no line over 200 characters', (path) => {
    const lines = read(path).split('\n')
    expect(lines.filter((line) => line.length > 200)).toEqual([])
  })
})

describe('README.md', () => {
  it('gives the right default for each setting in its list', () => {
    const rows = [...read('README.md').matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \| (.+?) \| .+ \|$/gm)]
    expect(rows.length).toBeGreaterThan(2)
    for (const [, names = '', fallbacks = ''] of rows) {
      const documented = [...fallbacks.matchAll(/`(.*?)`/g)].map(([, value]) => value)
      for (const [location, [, name = '']] of [...names.matchAll(/`([A-Z_]+)`/g)].entries()) {
        const setting = (settings as Readonly<Record<string, Setting<unknown>>>)[name]
        expect(setting, name).toBeDefined()
        // A default without a fallback depends on other settings.
        if (documented[location] !== undefined && setting?.fallback) expect(documented[location], name).toBe(setting.fallback)
      }
    }
  })
})

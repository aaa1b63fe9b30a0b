import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settings, type Setting } from '../../server/config/settings.ts'

/** What the guides name exists: files, commands, settings. */

const root = resolve(import.meta.dirname, '../..')
const guides = ['README.md', 'OPERATIONS.md', 'CONTRIBUTING.md', 'client/README.md', 'spec/README.md', 'bench/README.md']
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const { scripts: clientScripts } = JSON.parse(read('client/package.json')) as { scripts?: Record<string, string> }

// If you are here because a name is listed: the guide names what is gone. Let it name what is there now.
const FILE = /`((?:spec|server|scripts|generated|client|tests|bench)\/[\w./-]*)`/g
const LINK = /\]\((?!https?:|file-upload:|#|mailto:)([^)#\s]+)/g
const COMMAND = /(?:^|`|&& |: )npm (?:run )?([a-z][\w:-]*)/gm
const NPM_ITSELF = ['ci', 'exec', 'install']

describe.each(guides)('%s', (guide) => {
  const text = read(guide)
  const base = dirname(join(root, guide))

  it('names files and folders that exist', () => {
    const named = [...text.matchAll(FILE)].map(([, path = '']) => path)
    expect(named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(base, path)))).toEqual([])
    const linked = [...text.matchAll(LINK)].map(([, path = '']) => path)
    expect(linked.filter((path) => !existsSync(join(base, path)))).toEqual([])
  })

  it('names commands that exist', () => {
    const named = [...text.matchAll(COMMAND)].map(([, name = '']) => name)
    const known = [...Object.keys(scripts), ...Object.keys(clientScripts ?? {}), ...NPM_ITSELF]
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })
})

describe('README.md', () => {
  it('tells of settings what is so', () => {
    const rows = [...read('README.md').matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \| (.+?) \| .+ \|$/gm)]
    expect(rows.length).toBeGreaterThan(2)
    for (const [, names = '', fallbacks = ''] of rows) {
      const told = [...fallbacks.matchAll(/`(.*?)`/g)].map(([, value]) => value)
      for (const [place, [, name = '']] of [...names.matchAll(/`([A-Z_]+)`/g)].entries()) {
        const setting = (settings as Readonly<Record<string, Setting<unknown>>>)[name]
        expect(setting, name).toBeDefined()
        // Without a fallback of its own a default depends on other settings.
        if (told[place] !== undefined && setting?.fallback) expect(told[place], name).toBe(setting.fallback)
      }
    }
  })
})

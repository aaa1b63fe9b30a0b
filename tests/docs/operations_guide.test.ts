import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settingMeanings } from '../../server/config/setting_meanings.ts'
import { settings, type Setting } from '../../server/config/settings.ts'

const guide = readFileSync('OPERATIONS.md', 'utf8')
const containerFiles = ['Dockerfile', 'compose.yaml', 'compose.postgresql.yaml']

describe('OPERATIONS.md', () => {
  // If you are here because the table differs: a setting is new or changed. Paste the expected table.
  it('has the table of all settings, with their defaults and meanings', () => {
    const rows = Object.entries<Setting<unknown>>(settings).map(([name, { fallback }]) => {
      const meaning: string = settingMeanings[name as keyof typeof settings]
      return `| \`WORKSPACE_${name}\` | ${fallback ? `\`${fallback}\`` : '–'} | ${meaning} |`
    })
    const table = ['| Setting | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n')
    expect(guide).toContain(table)
  })
})

describe('container files', () => {
  it.each(containerFiles)('%s states that it has not been run, and contains only existing settings', (name) => {
    const text = readFileSync(name, 'utf8')
    expect(text.split('\n').slice(0, 5).join(' ')).toMatch(/has not been (?:built|run)/)
    const set = [...text.matchAll(/^\s*(?:ENV )?([A-Z][A-Z_]+)[:=]/gm)]
      .map(([, key = '']) => key)
      .filter((key) => !/^(?:POSTGRES_|NODE_ENV$|NODE_OPTIONS$|NODE_VERSION$)/.test(key))
    for (const key of set) expect(Object.keys(settings), `${name}: ${key}`).toContain(key)
  })

  it.each(containerFiles.filter((name) => name.endsWith('.yaml')))('%s is valid YAML with services', (name) => {
    const { services } = parse(readFileSync(name, 'utf8')) as { services: Record<string, unknown> }
    expect(Object.keys(services)).toContain('service')
  })

  it('use the runtime that this project pins', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: Record<string, string> }
    expect(/^ARG NODE_VERSION=(\S+)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1]).toBe(devDependencies['node'])
  })
})

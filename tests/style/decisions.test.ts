import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = resolve(import.meta.dirname, '../../decisions')
const records = readdirSync(folder).filter((name) => name !== 'README.md')
const linesOf = (name: string): string[] => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')

describe('decisions/', () => {
  it('has at most 60 records, each with a unique number', () => {
    expect(records.length).toBeGreaterThan(0)
    expect(records.length).toBeLessThanOrEqual(60)
    expect(records.filter((name) => !/^\d{3}-[a-z\d-]+\.md$/.test(name))).toEqual([])
    expect(new Set(records.map((name) => name.slice(0, 3))).size).toBe(records.length)
  })

  it('has records of at most 40 lines of at most 140 characters', () => {
    expect(records.filter((name) => linesOf(name).length > 40)).toEqual([])
    expect(records.filter((name) => linesOf(name).some((line) => line.length > 140))).toEqual([])
  })

  it('has records with a context, a decision and consequences', () => {
    const headings = ['## Context', '## Decision', '## Consequences']
    const headingsOf = (name: string): string[] => linesOf(name).filter((line) => line.startsWith('## '))
    expect(records.filter((name) => headingsOf(name).join() !== headings.join())).toEqual([])
  })

  it('has an index that lists each record once, by its title', () => {
    const index = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^- \[(.+)\]\((.+)\)$/gm)]
    const listed = index.map(([, title = '', name = '']) => `${name} ${title}`)
    expect(listed.toSorted()).toEqual(records.map((name) => `${name} ${linesOf(name)[0]?.slice(2) ?? ''}`).toSorted())
  })
})

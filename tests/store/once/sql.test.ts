import { describe, expect, it } from 'vitest'
import { joinSql, raw, sql, valueList, type Sql } from '../../../server/store/sql.ts'

describe('an SQL statement', () => {
  const named = (name: string | Sql): Sql => sql`select id from users where name = ${name} and left_time is null`

  it('has a parameter for each value, in order, including nested parts', () => {
    const part = sql`role in (${valueList(['owner', 'member'])})`
    expect(sql`select id from users where kind = ${'person'} and ${part} limit ${10}`).toEqual({
      sql: 'select id from users where kind = ? and role in (?, ?) limit ?',
      parameters: ['person', 'owner', 'member', 10],
    })
    expect(joinSql([sql`a = ${1}`, sql`b = ${null}`], ' or ')).toEqual({ sql: 'a = ? or b = ?', parameters: [1, null] })
  })

  it('never has a value in its text', () => {
    const value = "x'; drop table users; --"
    expect(named(value).sql).not.toContain('drop')
    expect(named(value).parameters).toEqual([value])
  })

  it('has the text of its current parts, and not of earlier ones', () => {
    const texts = [named('Ines'), named(raw('email')), named(sql`lower(${'INES'})`), named('Ines')].map((made) => made.sql)
    const around = (part: string): string => `select id from users where name = ${part} and left_time is null`
    expect(texts).toEqual(['?', 'email', 'lower(?)', '?'].map(around))
  })
})

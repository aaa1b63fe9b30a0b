import { beforeAll, describe, expect, it } from 'vitest'
import type { PropertyValue, ViewType } from '../../generated/types.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { undashed } from '../../server/kernel/ids.ts'
import { Browser } from '../harness/browser.ts'
import { makePage, text } from '../harness/content.ts'
import { makeDatabase, makeRow, type MadeDatabase } from '../harness/databases_content.ts'
import { at, idOf, textAt } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { makeView } from '../harness/views.ts'

const server = await serverOfFile()
const { owner } = server
const { people, views, rows, repairLog } = exampleWorkspace
const reader = new Browser(server)
await reader.signIn(server, people[0].email)

async function htmlOf(path: string): Promise<string> {
  const { status, text: html } = await reader.open(path)
  expect(status).toBe(200)
  return html
}

async function htmlOfView(id: string, more = ''): Promise<string> {
  const { body } = await owner.call('retrieveView', { path: { view_id: id } })
  return htmlOf(`${textAt(body, 'url').replace(server.url, '')}${more}`)
}

/** Titles of rows in the order of the page. */
const titlesIn = (html: string): string[] =>
  [...html.matchAll(/<a class="row-title"[^>]*>(?:<span class="icon[^>]*>[^<]*<\/span>)?<span>([^<]*)<\/span>/g)].map(
    ([, title = '']) => title,
  )

const shown: Readonly<Record<ViewType, readonly [id: string, expected: RegExp]>> = {
  table: [views.allJobs, /<table class="rows"><thead><tr><th scope="col">Job<\/th>/],
  board: [
    views.jobsByStatus,
    /<section class="lane"><h2><span class="option bg-default">Not started<\/span>[\s\S]*<li class="row-card">/,
  ],
  list: [views.openJobs, /<ul class="row-list"><li><a class="row-title"/],
  calendar: [
    views.launchCalendar,
    /<h2>May 2026<\/h2>[\s\S]*<time datetime="2026-05-16">[^/]*<\/span> 16<\/time>\n<p><a class="row-title"[^>]*>.*Heron/,
  ],
  gallery: [views.boatGallery, /<ul class="gallery"><li class="row-card">/],
  timeline: [views.repairTimeline, /Timeline, shown as a table[\s\S]*<table class="rows">/],
  form: [views.damageReport, /Form, shown as a table[\s\S]*<table class="rows">/],
  chart: [views.costByMonth, /Chart, shown as a table[\s\S]*<table class="rows">/],
  map: [views.berthMap, /Map, shown as a table[\s\S]*<table class="rows">/],
  dashboard: [views.yardOverview, /<ul class="widgets"><li><a href="/],
}

describe('a database', () => {
  it.each(Object.entries(shown))('shows a view of the type %s', async (_type, [id, expected]) => {
    expect(await htmlOfView(id)).toMatch(expected)
  })

  it('has its views as tabs, and shows the first view if the address names none', async () => {
    const html = await htmlOf(`/${undashed(repairLog)}`)
    expect(html).toMatch(
      new RegExp(`<a href="/${undashed(repairLog)}\\?v=${undashed(views.allJobs)}" aria-current="page">All jobs`),
    )
    expect(html).toContain('Filtered · Sorted by Due')
  })

  it("shows the rows of a view's query, in the order of that query", async () => {
    for (const id of [views.allJobs, views.openJobs, views.shelfList]) {
      const { body } = await owner.call('createViewQuery', { path: { view_id: id }, body: {} })
      const titles: string[] = []
      for (const { id: row } of body['results'] as { id: string }[]) {
        const { body: page } = await owner.call('retrievePage', { path: { page_id: row } })
        const title = Object.values(page['properties'] as Record<string, PropertyValue>).find(({ type }) => type === 'title')
        titles.push(title?.type === 'title' ? title.title.map(({ plain_text: plain }) => plain).join('') : '')
      }
      expect(titlesIn(await htmlOfView(id))).toEqual(titles)
    }
  })

  it('ignores a view of another database in the address', async () => {
    expect(await htmlOf(`/${undashed(repairLog)}?v=${undashed(views.boatGallery)}`)).toMatch(/aria-current="page">All jobs/)
  })

  it('400 for a malformed cursor', async () => {
    expect((await reader.open(`/${undashed(repairLog)}?from=abc`)).status).toBe(400)
  })
})

describe('the month of a calendar view', () => {
  it('is the one in the address, with links to its neighbors', async () => {
    const html = await htmlOfView(views.launchCalendar, '&month=2026-12')
    expect(html).toContain('<h2>December 2026</h2>')
    expect(html).toContain('Nothing in this month.')
    expect(html).toMatch(/month=2026-11" rel="prev"[\s\S]*month=2027-01" rel="next"/)
  })

  it('is the current one if the address names an invalid month', async () => {
    expect(await htmlOfView(views.launchCalendar, '&month=2026-13')).toContain('<h2>May 2026</h2>')
  })
})

describe('rows of a view', () => {
  let made: MadeDatabase
  beforeAll(async () => {
    made = await makeDatabase(owner, await makePage(owner), {
      Kind: { select: { options: [{ name: 'Rope', color: 'blue' }, { name: 'Paint' }] } },
    })
    for (let count = 0; count < 120; count += 1)
      await makeRow(owner, made.sourceId, {
        Name: { title: [text(`Row ${count}`)] },
        ...(count % 3 === 0 ? {} : { Kind: { select: { name: count % 3 === 1 ? 'Rope' : 'Paint' } } }),
      })
  })

  it.each(['table', 'list'] as const)('in a %s are shown in parts, each with a link to the next part', async (type) => {
    const view = await makeView(owner, made, { type, sorts: [{ property: 'Name', direction: 'ascending' }] })
    const titles: string[] = []
    for (let path = textAt(view, 'url').replace(server.url, ''); path !== '';) {
      const html = await htmlOf(path)
      titles.push(...titlesIn(html))
      path = /<p class="more"><a href="([^"]+)" rel="next">/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    }
    expect(new Set(titles).size).toBe(120)
    expect(titles).toHaveLength(120)
  })

  it('are shown in groups if the view has groups', async () => {
    const { body } = await owner.call('retrieveDataSource', { path: { data_source_id: made.sourceId } })
    const configuration = {
      type: 'table',
      group_by: { type: 'select', property_id: at(body, 'properties', 'Kind', 'id'), sort: { type: 'manual' } },
    }
    const html = await htmlOf(
      textAt(await makeView(owner, made, { type: 'table', configuration }), 'url').replace(server.url, ''),
    )
    const groups = [...html.matchAll(/<tr class="group">.*?<span class="option bg-(\w+)">([^<]+)</g)].map(([, color, name]) => [
      color,
      name,
    ])
    expect(groups).toEqual([
      ['default', 'No Kind'],
      ['blue', 'Rope'],
      [expect.any(String), 'Paint'],
    ])
  })
})

/** Expected content for each type of property, on the row "Replace keel bolts" or the row made below. */
const looks: Readonly<Record<PropertyValue['type'], string | RegExp>> = {
  title: /<h1>Replace keel bolts<\/h1>/,
  rich_text: /<dt>Notes<\/dt><dd>Two of eight are drawn/,
  number: /<dt>Cost<\/dt><dd><span class="number">€480\.00<\/span>/,
  select: /<dt>Priority<\/dt><dd><span class="option bg-\w+">High<\/span>/,
  multi_select: /<dt>Skills<\/dt><dd><span class="values"><span class="option bg-\w+">Joinery<\/span>/,
  status: /<dt>Status<\/dt><dd><span class="status bg-\w+">In progress<\/span>/,
  date: /<dt>Due<\/dt><dd><time datetime="2026-05-08">May 8, 2026<\/time>/,
  people: /<dt>Owner<\/dt><dd><span class="values"><span class="person">Tomas Reyes<\/span>/,
  files: /<dt>Photos<\/dt><dd><span class="values"><span><a href="https:\/\/[^"]+" rel="[^"]+">keel-bolts\.jpg/,
  checkbox: /<dt>Approved<\/dt><dd><span class="check" aria-hidden="true"><\/span><span class="hidden">No<\/span>/,
  url: /<dt>Site<\/dt><dd><a href="https:\/\/example\.org\/keel" rel="noopener noreferrer nofollow">https:\/\/example\.org\/keel</,
  email: /<dt>Mail<\/dt><dd><a href="mailto:yard@northshore\.example">yard@northshore\.example</,
  phone_number: /<dt>Phone<\/dt><dd><a href="tel:\+49%2030%2012|<dt>Phone<\/dt><dd><a href="tel:\+49 30 12/,
  relation: `<dt>Boat</dt><dd><span class="values"><a href="/${undashed(rows.boats.heron)}">Heron</a>`,
  place: /<dt>Dock<\/dt><dd>Slipway/,
  verification: /<dt>Signed off<\/dt><dd><span class="tag">unverified<\/span>/,
  formula: /<dt>Total<\/dt><dd><span class="number">580\.8<\/span>/,
  rollup: /<dt>Boat launch<\/dt><dd>(?:<span class="values">)?<time datetime="2026-05-16">/,
  unique_id: /<dt>Ticket<\/dt><dd><span class="number">JOB-1<\/span>/,
  created_time: /<dt>Created<\/dt><dd><time datetime="2026-05-16T04:30:00\.000Z">May 16, 2026, 4:30/,
  created_by: /<dt>Created by<\/dt><dd><span class="person">Ines Varga/,
  last_edited_time: /<dt>Edited<\/dt><dd><time datetime="2026-05-16T/,
  last_edited_by: /<dt>Edited by<\/dt><dd><span class="person">Ines Varga/,
  button: /<dt>Start<\/dt><dd><span class="tag">Button<\/span>/,
}

describe('the page of a row', () => {
  const html = (async () => {
    const made = await makeDatabase(owner, await makePage(owner), {
      Site: { url: {} },
      Mail: { email: {} },
      Phone: { phone_number: {} },
    })
    const row = await makeRow(owner, made.sourceId, {
      Name: { title: [text('Values')] },
      Site: { url: 'https://example.org/keel' },
      Mail: { email: 'yard@northshore.example' },
      Phone: { phone_number: '+49 30 12' },
    })
    return (await htmlOf(`/${undashed(rows.jobs.keelBolts)}`)) + (await htmlOf(`/${undashed(idOf(row))}`))
  })()

  it.each(Object.entries(looks))('shows the value of type %s above its content', async (_type, expected) => {
    if (typeof expected === 'string') expect(await html).toContain(expected)
    else expect(await html).toMatch(expected)
  })
})

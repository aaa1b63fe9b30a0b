import type { DateValue, PlaceValue } from '../../generated/types.ts'
import type { StoredFile, StoredPerson, StoredVerification } from '../domain/properties/stored_values.ts'
import { story } from './story.ts'

/** A row of the sample: values as they are stored, by the ids of columns and options in spec/story.md. */
export interface SampleRow {
  readonly id: string
  readonly title: string
  readonly values: Readonly<Record<string, unknown>>
}

const { boats, jobs, parts, templates } = story.rows
const [ines, tomas, aiko] = story.people

const days = (start: string, end: string | null = null): DateValue => ({ start, end, time_zone: null })
const people = (...list: { readonly id: string }[]): StoredPerson[] => list.map(({ id }) => ({ object: 'user', id }))
const words = (content: string): object[] => [{ type: 'text', text: { content } }]
const links = (...ids: string[]): object => ({ ids })
const berth = (name: string, lat: number, lon: number): PlaceValue => ({
  lat,
  lon,
  name,
  address: null,
  aws_place_id: null,
  google_place_id: null,
})
const photo = (name: string): StoredFile => ({ name, type: 'external', external: { url: `https://example.org/${name}` } })
const signedOff: StoredVerification = { date: null, verifiedBy: ines.id }

/** The jobs of a boat stand with the jobs. */
export const boatRows: readonly SampleRow[] = [
  {
    id: boats.heron,
    title: 'Heron',
    values: {
      stat: 'inrp',
      hull: 'wood',
      lnch: days('2026-05-16'),
      skip: people(ines),
      insr: true,
      brth: berth('Berth 14', 53.5446, 9.9667),
    },
  },
  {
    id: boats.kittiwake,
    title: 'Kittiwake',
    values: {
      stat: 'aflt',
      hull: 'gfib',
      lnch: days('2026-04-25'),
      skip: people(aiko),
      insr: true,
      brth: berth('North pier', 53.5461, 9.9702),
    },
  },
  {
    id: boats.sandpiper,
    title: 'Sandpiper',
    values: {
      stat: 'ashr',
      hull: 'stel',
      lnch: days('2026-06-06'),
      skip: people(tomas),
      brth: berth('Slipway', 53.5439, 9.9651),
    },
  },
]

export const jobRows: readonly SampleRow[] = [
  {
    id: jobs.keelBolts,
    title: 'Replace keel bolts',
    values: {
      stat: 'prog',
      prio: 'high',
      skil: ['join'],
      cost: 480,
      dued: days('2026-05-08'),
      ownr: people(tomas),
      note: words('Two of eight are drawn; the others sit tight.'),
      phot: [photo('keel-bolts.jpg')],
      boat: links(boats.heron),
      tick: 1,
      dock: berth('Slipway', 53.5439, 9.9651),
    },
  },
  {
    id: jobs.mast,
    title: 'Varnish the mast',
    values: {
      stat: 'nsta',
      prio: 'norm',
      skil: ['rigg', 'join'],
      cost: 120,
      dued: days('2026-05-15'),
      appr: true,
      boat: links(boats.heron),
      tick: 2,
    },
  },
  {
    id: jobs.engine,
    title: 'Service the engine',
    values: {
      stat: 'done',
      prio: 'high',
      skil: ['engi'],
      cost: 640,
      dued: days('2026-04-22'),
      ownr: people(aiko),
      appr: true,
      guid: 'https://example.org/engine-manual.pdf',
      mail: 'parts@engines.example',
      phon: '+49 40 555 0100',
      boat: links(boats.kittiwake),
      tick: 3,
      veri: signedOff,
    },
  },
  {
    id: jobs.rigging,
    title: 'Renew the standing rigging',
    values: {
      stat: 'prog',
      prio: 'norm',
      skil: ['rigg'],
      cost: 1350,
      dued: days('2026-05-22'),
      ownr: people(ines, tomas),
      boat: links(boats.sandpiper),
      tick: 4,
    },
  },
  {
    id: jobs.hull,
    title: 'Blast and paint the hull',
    values: {
      stat: 'nsta',
      prio: 'high',
      cost: 2200,
      dued: days('2026-05-26', '2026-06-02'),
      note: words('Only on dry days; the shed is booked for the first three.'),
      boat: links(boats.sandpiper),
      tick: 5,
    },
  },
  {
    id: jobs.bilgePump,
    title: 'Fit a new bilge pump',
    values: {
      stat: 'done',
      prio: 'lowp',
      skil: ['engi'],
      cost: 95,
      dued: days('2026-04-17'),
      ownr: people(tomas),
      boat: links(boats.kittiwake, boats.heron),
      tick: 6,
      veri: signedOff,
    },
  },
]

export const partRows: readonly SampleRow[] = [
  {
    id: parts.keelBolt,
    title: 'Keel bolt, bronze',
    values: { stok: 24, shlf: words('B2'), pjob: links(jobs.keelBolts) },
  },
  {
    id: parts.nail,
    title: 'Copper nail, 40 mm',
    values: { stok: 800, shlf: words('A1'), pjob: links(jobs.keelBolts, jobs.mast) },
  },
  {
    id: parts.impeller,
    title: 'Impeller, raw water pump',
    values: { stok: 0, shlf: words('C4'), pjob: links(jobs.engine, jobs.bilgePump) },
  },
]

/** What new jobs can begin with, the default one first. */
export const jobTemplates: readonly SampleRow[] = [
  {
    id: templates.job,
    title: 'Job template',
    values: { stat: 'nsta', prio: 'norm', note: words('What is broken, and since when?') },
  },
  {
    id: templates.survey,
    title: 'Survey template',
    values: { stat: 'nsta', prio: 'lowp', skil: ['join', 'engi'], cost: 150 },
  },
]

import { fill } from '../databases/fill.ts'
import type { Engine } from '../databases/engine.ts'
import { fillRows } from '../databases/rows.ts'
import { launch } from '../processes/launch.ts'
import { serviceLaunch } from '../subjects/service.ts'

/** Disk space of records, including indexes. */
export interface DiskFigures {
  readonly label: string
  readonly records: number
  readonly bytesOfOne: number
}

const BLOCKS = 20_000
const ROWS = 20_000
export const A_BLOCK = 'a block'
export const A_ROW = 'a row of six columns'

/** Fills a new database of each engine with blocks and then with rows, and measures its size before and after. */
export async function measureDisk(engines: readonly Engine[]): Promise<DiskFigures[]> {
  const figures: DiskFigures[] = []
  for (const engine of engines) {
    const name = engine.name === 'sqlite' ? 'SQLite' : 'PostgreSQL'
    const url = await engine.create('disk')
    const service = await launch(serviceLaunch(url))
    const weigh = async (what: string, records: number, make: () => Promise<unknown>): Promise<void> => {
      const before = await engine.bytesStored(url)
      await make()
      const bytesOfOne = ((await engine.bytesStored(url)) - before) / records
      figures.push({ label: `${name}, ${what}`, records, bytesOfOne })
    }
    try {
      await weigh(A_BLOCK, BLOCKS, () => fill(service.url, BLOCKS, `${name}, blocks to weigh`))
      await weigh(A_ROW, ROWS, () => fillRows(url, service.url, ROWS, `${name}, rows to weigh`))
    } finally {
      await service.stop()
    }
  }
  return figures
}

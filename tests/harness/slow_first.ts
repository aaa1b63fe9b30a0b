import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders with slow tests, slowest first. */
const SLOW = ['process', 'style', 'stories', 'limits', 'protocol', 'cli', 'browser', 'store', 'spec']

/** Runs slow files first, so that no core is idle at the end of a run. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = SLOW.findIndex((folder) => moduleId.includes(`/tests/${folder}/`))
  return place < 0 ? SLOW.length : place
}

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose tests start processes and wait for them, longest first. */
const SLOW = ['process', 'style', 'stories', 'limits', 'protocol', 'cli', 'browser', 'store', 'spec']

/** Long files first, so that at the end of a run no core waits for the last of them. */
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

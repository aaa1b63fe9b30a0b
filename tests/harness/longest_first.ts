import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { durationKey, recordedDurations } from './durations.ts'

/** Runs the longest files first, so that no core is idle at the end of a run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = recordedDurations()
    const secondsOf = ({ project, moduleId }: TestSpecification): number =>
      durations.get(durationKey(project.name, moduleId)) ?? 0
    return files.toSorted((one, other) => secondsOf(other) - secondsOf(one))
  }
}

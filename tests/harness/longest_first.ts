import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { durationKey, recordedDurations } from './durations.ts'

/**
 * Runs the longest files first, so that no core is idle at the end of a run. Those of a project stay together: a worker serves one project,
 * and starting another one takes seconds.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = recordedDurations()
    const projects = [...new Set(files.map(({ project }) => project.name))]
    const secondsOf = ({ project, moduleId }: TestSpecification): number =>
      durations.get(durationKey(project.name, moduleId)) ?? 0
    return files.toSorted(
      (one, other) =>
        projects.indexOf(one.project.name) - projects.indexOf(other.project.name) || secondsOf(other) - secondsOf(one),
    )
  }
}

import { readFileSync } from 'node:fs'
import type { BlockType, RichTextItemRequest, ViewType } from '../../generated/types.ts'
import type { NewAgent } from '../domain/agents/index.ts'
import type { StoredDisplayName } from '../domain/content/index.ts'
import type { StoredProperty, ViewSettings } from '../domain/data/index.ts'

/** A block of the sample: content as a caller would write it, or, for types that only the service creates, as it is stored. */
export interface SampleBlock {
  readonly id?: string
  readonly type: BlockType
  readonly content: object
  readonly children?: readonly SampleBlock[]
}

/** A row of the sample: values as they are stored, by the ids of columns and options in spec/example_workspace.md. */
export interface SampleRow {
  readonly id: string
  readonly title: string
  readonly values: Readonly<Record<string, unknown>>
}

/** Settings name columns and options by their ids in spec/example_workspace.md. */
export interface SampleView extends Partial<ViewSettings> {
  readonly id: string
  readonly name: string
  readonly type: ViewType
  /** By default, the parent of the block. */
  readonly dataSourceId?: string
}

interface SampleComment {
  readonly id: string
  readonly discussionId: string
  readonly parentId: string
  readonly text: RichTextItemRequest[]
  readonly displayName: StoredDisplayName
  readonly createdBy: string
}

type SampleAgent = Omit<Required<NewAgent>, 'workspaceId'>

type SourceName = 'boats' | 'repairJobs' | 'spareParts'

/**
 * The contents of the demo workspace. Our own data: the tests read all of it through the API and check the responses against the contract.
 */
interface SampleContent {
  /** The launch day plan has every type of block except the sub-page, which is on the handbook. */
  readonly blocks: Readonly<Record<'launchPlan' | 'checklist', readonly SampleBlock[]>>
  readonly columns: Readonly<Record<SourceName, readonly StoredProperty[]>>
  /** Templates for new jobs, the default one first. */
  readonly rows: Readonly<Record<SourceName | 'jobTemplates', readonly SampleRow[]>>
  /** Views of three databases in the order of their tabs, and the widgets of a dashboard. */
  readonly views: Readonly<Record<'repairLog' | 'yardOverview' | 'boatRegister' | 'boatsInTheYard', readonly SampleView[]>>
  /** The first is enabled, the second was disabled through the API. */
  readonly agents: readonly SampleAgent[]
  /** Oldest first. */
  readonly comments: readonly SampleComment[]
}

/** Reads sample/<name>.json. */
export function sampleContent<Name extends keyof SampleContent>(name: Name): SampleContent[Name] {
  return JSON.parse(readFileSync(new URL(`sample/${name}.json`, import.meta.url), 'utf8')) as SampleContent[Name]
}

/** A tool of others that says what it holds of the published contract. */
export interface Judge {
  readonly name: string
  /** @returns what it found in the bundle at this absolute path @throws ToolMissing where it cannot be had */
  find(bundle: string): Promise<readonly Finding[]>
}

export interface Finding {
  readonly rule: string
  readonly message: string
  /** Where, as keys or a JSON pointer; empty where the tool does not say. */
  readonly place: string
}

/** The tool, or what it runs on, is not on this machine; the message is a sentence for whoever runs the job. */
export class ToolMissing extends Error {}

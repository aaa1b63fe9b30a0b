/** An external tool that checks the published contract. */
export interface Judge {
  readonly name: string
  /** @returns its findings in the bundle at this absolute path @throws ToolMissing if it cannot run on this machine */
  find(bundle: string): Promise<readonly JudgeFinding[]>
}

export interface JudgeFinding {
  readonly rule: string
  readonly message: string
  /** The path, as keys or a JSON pointer; empty if the tool reports none. */
  readonly location: string
}

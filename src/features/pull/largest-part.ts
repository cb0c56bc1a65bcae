/** Whether the parts of a whole can be taken together; findings are what speaks against it. */
export type CheckParts<Part, Finding> = (parts: readonly Part[]) => readonly Finding[]

/** The selected and the skipped parts of a whole. */
export interface LargestPart<Part, Finding> {
  readonly taken: ReadonlySet<Part>
  /** Each with what its addition to the others would break. */
  readonly left: ReadonlyMap<Part, readonly Finding[]>
}

/**
 * Finds parts that can be taken together; each other part fails together with those. What findings
 * blame is left at first, and then tried again by halves, since blame can be wrong or missing.
 *
 * @param blame - the part that a finding names, if any
 */
export function findLargestPart<Part, Finding>(
  parts: readonly Part[],
  check: CheckParts<Part, Finding>,
  blame: (finding: Finding) => Part | undefined,
): LargestPart<Part, Finding> {
  const { taken, blamed } = leaveBlamed(parts, check, blame)
  const left = new Map<Part, readonly Finding[]>()
  const add = (group: readonly Part[]): void => {
    if (group.length === 0) return
    const findings = check([...taken, ...group])
    if (findings.length === 0) for (const part of group) taken.add(part)
    else if (group.length === 1) for (const part of group) left.set(part, findings)
    else addHalves(group)
  }
  const addHalves = (group: readonly Part[]): void => {
    const middle = Math.ceil(group.length / 2)
    add(group.slice(0, middle))
    add(group.slice(middle))
  }
  const [only, ...others] = blamed
  // One part alone was left, and the whole with it fails: it is not worth another check.
  if (only !== undefined && others.length === 0) left.set(only[0], only[1])
  else addHalves([...blamed.keys()])
  return { taken, left }
}

/** Leaves parts until nothing speaks against the others; all that is left if nothing is blamed. */
function leaveBlamed<Part, Finding>(
  parts: readonly Part[],
  check: CheckParts<Part, Finding>,
  blame: (finding: Finding) => Part | undefined,
): { taken: Set<Part>; blamed: Map<Part, Finding[]> } {
  const taken = new Set(parts)
  const blamed = new Map<Part, Finding[]>()
  for (;;) {
    const findings = taken.size === 0 ? [] : check([...taken])
    if (findings.length === 0) return { taken, blamed }
    const named = findings.flatMap((finding) => {
      const part = blame(finding)
      return part !== undefined && taken.has(part) ? [{ part, finding }] : []
    })
    for (const part of named.length > 0 ? named.map((each) => each.part) : taken) {
      taken.delete(part)
      blamed.set(part, [])
    }
    for (const { part, finding } of named) blamed.get(part)?.push(finding)
  }
}

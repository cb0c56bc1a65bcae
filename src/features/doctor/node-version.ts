import type { Diagnosis } from './diagnosis.ts'

/** The ranges of `engines` in this package's manifest: the least minor version of a major one. */
const SUPPORTED: ReadonlyMap<number, number> = new Map([
  [20, 19],
  [22, 12],
])

/** From here on, every version of Node is supported. */
const ALL_FROM = 23

/** Whether this version of Node is supported. */
export function diagnoseNode(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported =
    major >= ALL_FROM || minor >= (SUPPORTED.get(major) ?? Number.POSITIVE_INFINITY)
  if (isSupported) return { topic: 'node', state: 'ok', message: `Node ${version}` }
  const message = `Node ${version} is not supported.`
  return { topic: 'node', state: 'broken', message, fix: 'Install Node 20.19, 22.12 or later.' }
}

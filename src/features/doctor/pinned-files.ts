import { pluralize } from '../../core/text/pluralize.ts'
import { check, type CheckReport, stepOf } from '../check/check.ts'
import type { Project } from '../project/project.ts'
import type { Diagnosis } from './diagnosis.ts'

const STEPS = ['lock', 'options', 'declarations', 'files'] as const

/** What `prompts check --offline` finds: lock, options and generated files, one diagnosis each. */
export async function diagnoseFiles(project: Project): Promise<Diagnosis[]> {
  const report = await check(project, { depth: 'offline' })
  return STEPS.map((topic) => diagnoseStep(topic, report))
}

function diagnoseStep(topic: (typeof STEPS)[number], report: CheckReport): Diagnosis {
  const { lock, steps, findings } = report
  if (steps[topic] === 'skipped') return { topic, state: 'skipped', message: 'not checked' }
  const found = findings.filter((finding) => stepOf(finding) === topic)
  const [first] = found
  if (first === undefined) return { topic, state: 'ok', message: okMessage(topic, lock) }
  const { severity, message, fix } = first
  const more = found.length === 1 ? '' : ` And ${pluralize(found.length - 1, 'more finding')}.`
  return { topic, state: severity === 'fault' ? 'broken' : 'warning', message: message + more, fix }
}

function okMessage(topic: (typeof STEPS)[number], lock: CheckReport['lock']): string {
  if (topic === 'lock') return `valid, ${pluralize(lock?.prompts.length ?? 0, 'prompt')}`
  return topic === 'options' ? 'match the lock' : 'current'
}

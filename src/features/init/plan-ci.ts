import type { ProjectFiles } from './project-files.ts'
import type { PlannedPart } from './step.ts'

/** What CI services are configured by. */
const CI_FILES = [
  '.github',
  '.gitlab-ci.yml',
  '.circleci',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'Jenkinsfile',
]

/** Suggests that CI never pulls, in a project that CI builds and that has no lock yet. */
export function planCi({ names }: Pick<ProjectFiles, 'names'>): PlannedPart {
  if (names.has('prompts.lock.json') || !CI_FILES.some((file) => names.has(file))) return {}
  const what = 'Set this variable in CI, so that a missing lock fails the build instead of pulling:'
  return { manual: { what, lines: ['PROMPTS_PULL=never'] } }
}

/** The workspace file that is served by default. */
export const DEFAULT_FILE = 'prompts.workspace.yaml'

/** The port of the local service by default. */
export const DEFAULT_PORT = 4400

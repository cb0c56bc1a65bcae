// Made by unplugin-prompts from the lock of pinned prompts. Do not edit: `npx prompts pull` writes it.
// sha256-W5Ta2euBHyXyOIR5CYlHsD8I6cqf1TOGhwR/BKmCLl4=

declare module "virtual:prompts" {
    import type { Prompt } from "unplugin-prompts/runtime";
    export { PromptVariableError, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses } from "unplugin-prompts/runtime";
    export type { OpenAIChat, OpenAIResponses, Prompt, PromptMessage, PromptValue, RenderedPrompt, SystemAndMessages } from "unplugin-prompts/runtime";

    /** Every pinned prompt, under its slug and under its identifier. */
    export interface Prompts {
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * Be kind.
         * ```
         */
        readonly "nothing-served": Prompt<"nothing-served", "v1", never>;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * Be kind.
         * ```
         */
        readonly "nothingServed": Prompt<"nothing-served", "v1", never>;
        /**
         * support · gpt-5 · v23
         *
         * ```text
         * Be kind.
         * ```
         */
        readonly "one-more-variable": Prompt<"one-more-variable", "v23", "ticket" | "name">;
        /**
         * support · gpt-5 · v23
         *
         * ```text
         * Be kind.
         * ```
         */
        readonly "oneMoreVariable": Prompt<"one-more-variable", "v23", "ticket" | "name">;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * Be kind.
         * ```
         */
        readonly "other-white-space": Prompt<"other-white-space", "v1", "ticket">;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * Be kind.
         * ```
         */
        readonly "otherWhiteSpace": Prompt<"other-white-space", "v1", "ticket">;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * Be kind.
         * ```
         */
        readonly "system-behind": Prompt<"system-behind", "v1", "ticket">;
        /**
         * support · gpt-5 · v1
         *
         * ```text
         * Be kind.
         * ```
         */
        readonly "systemBehind": Prompt<"system-behind", "v1", "ticket">;
    }

    export const prompts: Prompts;
}

declare module "virtual:prompts/all" {
    import type { Prompts } from "virtual:prompts";
    const prompts: Prompts;
    // @ts-ignore: an ES module may not, but what is declared here has no form
    export = prompts;
}

// Made by unplugin-prompts from the lock of pinned prompts. Do not edit: `npx prompts pull` writes it.
// sha256-6SDRKeD78dRvVZDXjUhtBvERjT/B2qYeGmycaP4HVOM=

declare module "virtual:prompts" {
    import type { Prompt } from "unplugin-prompts/runtime";
    export { PromptVariableError, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses } from "unplugin-prompts/runtime";
    export type { OpenAIChat, OpenAIResponses, Prompt, PromptMessage, PromptValue, RenderedPrompt, SystemAndMessages } from "unplugin-prompts/runtime";

    /** Every pinned prompt, under its slug and under its identifier. */
    export interface Prompts {
        /**
         * gpt-5 · v1
         *
         * ```text
         * You are prompt 0.
         * ```
         */
        readonly "": Prompt<"", "v1", never>;
        /**
         * art · gpt-5 · v1
         *
         * ```text
         * You are prompt 1.
         * ```
         */
        readonly "3d-scene": Prompt<"3d-scene", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 10.
         * ```
         */
        readonly "HTML to text": Prompt<"HTML to text", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 10.
         * ```
         */
        readonly "htmlToText": Prompt<"HTML to text", "v1", never>;
        /**
         * words · gpt-5 · v1
         *
         * ```text
         * You are prompt 4.
         * ```
         */
        readonly "__proto__": Prompt<"__proto__", "v1", never>;
        /**
         * words · gpt-5 · v1
         *
         * ```text
         * You are prompt 4.
         * ```
         */
        readonly "proto": Prompt<"__proto__", "v1", never>;
        /**
         * collisions · gpt-5 · v1
         *
         * ```text
         * You are prompt 7.
         * ```
         */
        readonly "a-b": Prompt<"a-b", "v1", never>;
        /**
         * collisions · gpt-5 · v1
         *
         * ```text
         * You are prompt 9.
         * ```
         */
        readonly "aB": Prompt<"aB", "v1", never>;
        /**
         * collisions · gpt-5 · v1
         *
         * ```text
         * You are prompt 8.
         * ```
         */
        readonly "a_b": Prompt<"a_b", "v1", never>;
        /**
         * words · gpt-5 · v1
         *
         * ```text
         * You are prompt 3.
         * ```
         */
        readonly "class": Prompt<"class", "v1", never>;
        /**
         * words · gpt-5 · v1
         *
         * ```text
         * You are prompt 5.
         * ```
         */
        readonly "constructor": Prompt<"constructor", "v1", never>;
        /**
         * words · gpt-5 · v1
         *
         * ```text
         * You are prompt 2.
         * ```
         */
        readonly "default": Prompt<"default", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 11.
         * ```
         */
        readonly "größe-ändern": Prompt<"größe-ändern", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 11.
         * ```
         */
        readonly "größeÄndern": Prompt<"größe-ändern", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 16.
         * ```
         */
        readonly "it's": Prompt<"it's", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 16.
         * ```
         */
        readonly "itS": Prompt<"it's", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 15.
         * ```
         */
        readonly "quote\"s": Prompt<"quote\"s", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 15.
         * ```
         */
        readonly "quoteS": Prompt<"quote\"s", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 17.
         * ```
         */
        readonly "support/triage": Prompt<"support/triage", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 17.
         * ```
         */
        readonly "supportTriage": Prompt<"support/triage", "v1", never>;
        /**
         * words · gpt-5 · v1
         *
         * ```text
         * You are prompt 6.
         * ```
         */
        readonly "then": Prompt<"then", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 12.
         * ```
         */
        readonly "票据": Prompt<"票据", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 14.
         * ```
         */
        readonly "￿": Prompt<"￿", "v1", never>;
        /**
         * text · gpt-5 · v1
         *
         * ```text
         * You are prompt 13.
         * ```
         */
        readonly "😀": Prompt<"😀", "v1", never>;
    }

    export const prompts: Prompts;
}

declare module "virtual:prompts/all" {
    import type { Prompts } from "virtual:prompts";
    const prompts: Prompts;
    // @ts-ignore: an ES module may not, but what is declared here has no form
    export = prompts;
}

declare module 'env-ci' {
  /** The result of the env-ci package. No member is set for every tool. */
  export interface EnvCi {
    readonly isCi: boolean;
    readonly name?: string;
    readonly service?: string;
    readonly commit?: string;
    readonly build?: string;
    readonly buildUrl?: string;
    readonly branch?: string;
    readonly tag?: string;
  }
  export default function envCi(options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly cwd: string;
  }): EnvCi;
}

/**
 * A self-signed certificate for service.test, localhost and 127.0.0.1, valid from 2020 to 2120,
 * with its private key: for tests only, and public.
 */
export const certificate: { readonly cert: string; readonly key: string } = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBjzCCATWgAwIBAgIBATAKBggqhkjOPQQDAjAhMR8wHQYDVQQDDBZ1bnBsdWdp
bi1wcm9tcHRzIHRlc3RzMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAw
WjAhMR8wHQYDVQQDDBZ1bnBsdWdpbi1wcm9tcHRzIHRlc3RzMFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEGtgWUWLg1tNYXo7ApYL/NP2AAgiXI+T74w1eVTW2mOkk
JGnGf6S7OYQ5pxWvcpLHdBt1g9qFXbA//403cpZIUqNcMFowKAYDVR0RBCEwH4IM
c2VydmljZS50ZXN0gglsb2NhbGhvc3SHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAd
BgNVHQ4EFgQUCRBxQ/YQv8iioo7COFqRf5g1N+8wCgYIKoZIzj0EAwIDSAAwRQIh
ALCt/ccC+SMyLWbjVdbZ9zF5D33LhhmOtpzIG5u5jnVcAiB2jV1c4XwFGprYJtnh
YcrxfXOPdfsv8I33Zoty5aY/VQ==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgk9X4b2gcziPWQAYi
Q6lm54qWNO10blv+lW6GY4eJQeihRANCAAQa2BZRYuDW01hejsClgv80/YACCJcj
5PvjDV5VNbaY6SQkacZ/pLs5hDmnFa9yksd0G3WD2oVdsD//jTdylkhS
-----END PRIVATE KEY-----
`,
}

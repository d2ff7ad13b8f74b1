// The functions of OpenSSL that this module calls, and how it comes by them: libssl and libcrypto are opened when the
// first session or digest is made. To have them bound when the program starts is most of what a download over plain
// http would take to begin (3 of 4 million instructions), and 2 MB of memory.
//
// A new function is added to its list and to the names below; one that is missing in either does not compile or link.
// With OSSL_LINKED the linker binds them instead, for programs that are linked statically.
#ifndef OSSL_FUNCTIONS_H
#define OSSL_FUNCTIONS_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// load.c. Once in a process, by whichever thread is first. NULL, or why not (of the loader, never freed).
const char *ossl_load_crypto(void);
/// Both libraries.
const char *ossl_load_ssl(void);

#ifndef OSSL_LINKED

#define OSSL_SSL_FUNCTIONS(F) \
  F(OPENSSL_init_ssl) F(SSL_CIPHER_get_name) F(SSL_CTX_clear_options) F(SSL_CTX_ctrl) F(SSL_CTX_free) \
  F(SSL_CTX_get_cert_store) F(SSL_CTX_load_verify_file) F(SSL_CTX_new) F(SSL_CTX_sess_set_new_cb) \
  F(SSL_CTX_set_alpn_protos) F(SSL_CTX_set_default_passwd_cb) F(SSL_CTX_set_options) F(SSL_CTX_set_verify) \
  F(SSL_CTX_use_PrivateKey_file) F(SSL_CTX_use_certificate_chain_file) F(SSL_SESSION_dup) F(SSL_SESSION_free) \
  F(SSL_ctrl) F(SSL_do_handshake) F(SSL_free) F(SSL_get0_param) F(SSL_get0_peer_certificate) \
  F(SSL_get_current_cipher) F(SSL_get_error) F(SSL_get_ex_data) F(SSL_get_shutdown) F(SSL_get_verify_result) \
  F(SSL_get_version) F(SSL_has_pending) F(SSL_is_init_finished) F(SSL_new) F(SSL_peek_ex) F(SSL_pending) \
  F(SSL_read_ex) F(SSL_session_reused) F(SSL_set1_host) F(SSL_set_bio) F(SSL_set_connect_state) F(SSL_set_ex_data) \
  F(SSL_set_hostflags) F(SSL_set_session) F(SSL_shutdown) F(SSL_write_ex) F(TLS_client_method)

#define OSSL_CRYPTO_FUNCTIONS(F) \
  F(BIO_clear_flags) F(BIO_get_data) F(BIO_meth_free) F(BIO_meth_new) F(BIO_meth_set_ctrl) F(BIO_meth_set_read) \
  F(BIO_meth_set_write) F(BIO_new) F(BIO_set_data) F(BIO_set_flags) F(BIO_set_init) F(CRYPTO_free) \
  F(ERR_clear_error) F(ERR_get_error_all) F(ERR_peek_error) F(ERR_peek_last_error) F(ERR_pop_to_mark) \
  F(ERR_reason_error_string) F(ERR_set_mark) F(EVP_Digest) F(EVP_DigestFinal_ex) F(EVP_DigestInit_ex2) \
  F(EVP_DigestUpdate) F(EVP_MD_CTX_copy_ex) F(EVP_MD_CTX_free) F(EVP_MD_CTX_get0_md) F(EVP_MD_CTX_new) \
  F(EVP_MD_get_size) F(EVP_md5) F(EVP_sha1) F(EVP_sha256) F(EVP_sha512) F(OPENSSL_init_crypto) F(X509_LOOKUP_ctrl) \
  F(X509_LOOKUP_get_method_data) F(X509_LOOKUP_get_store) F(X509_LOOKUP_hash_dir) F(X509_LOOKUP_meth_free) \
  F(X509_LOOKUP_meth_new) F(X509_LOOKUP_meth_set_get_by_subject) F(X509_LOOKUP_set_method_data) \
  F(X509_OBJECT_get0_X509) F(X509_OBJECT_retrieve_by_subject) F(X509_OBJECT_set1_X509) F(X509_STORE_add_lookup) \
  F(X509_STORE_get0_objects) F(X509_STORE_lock) F(X509_STORE_unlock) F(X509_VERIFY_PARAM_set1_ip_asc) F(X509_free) \
  F(X509_get_X509_PUBKEY) F(X509_get_default_cert_dir) F(X509_get_default_cert_dir_env) \
  F(X509_get_default_cert_file) F(X509_get_default_cert_file_env) F(X509_load_cert_crl_file) \
  F(X509_verify_cert_error_string) F(i2d_X509_PUBKEY)

// Tables of pointers and nothing else: load.c fills them in the order of the lists.
#define OSSL_MEMBER(name) __typeof__(&name) name;
struct ossl_ssl_functions {
  OSSL_SSL_FUNCTIONS(OSSL_MEMBER)
};
struct ossl_crypto_functions {
  OSSL_CRYPTO_FUNCTIONS(OSSL_MEMBER)
};
extern struct ossl_ssl_functions ossl_ssl __attribute__((visibility("hidden")));
extern struct ossl_crypto_functions ossl_crypto __attribute__((visibility("hidden")));

#define OPENSSL_init_ssl ossl_ssl.OPENSSL_init_ssl
#define SSL_CIPHER_get_name ossl_ssl.SSL_CIPHER_get_name
#define SSL_CTX_clear_options ossl_ssl.SSL_CTX_clear_options
#define SSL_CTX_ctrl ossl_ssl.SSL_CTX_ctrl
#define SSL_CTX_free ossl_ssl.SSL_CTX_free
#define SSL_CTX_get_cert_store ossl_ssl.SSL_CTX_get_cert_store
#define SSL_CTX_load_verify_file ossl_ssl.SSL_CTX_load_verify_file
#define SSL_CTX_new ossl_ssl.SSL_CTX_new
#define SSL_CTX_sess_set_new_cb ossl_ssl.SSL_CTX_sess_set_new_cb
#define SSL_CTX_set_alpn_protos ossl_ssl.SSL_CTX_set_alpn_protos
#define SSL_CTX_set_default_passwd_cb ossl_ssl.SSL_CTX_set_default_passwd_cb
#define SSL_CTX_set_options ossl_ssl.SSL_CTX_set_options
#define SSL_CTX_set_verify ossl_ssl.SSL_CTX_set_verify
#define SSL_CTX_use_PrivateKey_file ossl_ssl.SSL_CTX_use_PrivateKey_file
#define SSL_CTX_use_certificate_chain_file ossl_ssl.SSL_CTX_use_certificate_chain_file
#define SSL_SESSION_dup ossl_ssl.SSL_SESSION_dup
#define SSL_SESSION_free ossl_ssl.SSL_SESSION_free
#define SSL_ctrl ossl_ssl.SSL_ctrl
#define SSL_do_handshake ossl_ssl.SSL_do_handshake
#define SSL_free ossl_ssl.SSL_free
#define SSL_get0_param ossl_ssl.SSL_get0_param
#define SSL_get0_peer_certificate ossl_ssl.SSL_get0_peer_certificate
#define SSL_get_current_cipher ossl_ssl.SSL_get_current_cipher
#define SSL_get_error ossl_ssl.SSL_get_error
#define SSL_get_ex_data ossl_ssl.SSL_get_ex_data
#define SSL_get_shutdown ossl_ssl.SSL_get_shutdown
#define SSL_get_verify_result ossl_ssl.SSL_get_verify_result
#define SSL_get_version ossl_ssl.SSL_get_version
#define SSL_has_pending ossl_ssl.SSL_has_pending
#define SSL_is_init_finished ossl_ssl.SSL_is_init_finished
#define SSL_new ossl_ssl.SSL_new
#define SSL_peek_ex ossl_ssl.SSL_peek_ex
#define SSL_pending ossl_ssl.SSL_pending
#define SSL_read_ex ossl_ssl.SSL_read_ex
#define SSL_session_reused ossl_ssl.SSL_session_reused
#define SSL_set1_host ossl_ssl.SSL_set1_host
#define SSL_set_bio ossl_ssl.SSL_set_bio
#define SSL_set_connect_state ossl_ssl.SSL_set_connect_state
#define SSL_set_ex_data ossl_ssl.SSL_set_ex_data
#define SSL_set_hostflags ossl_ssl.SSL_set_hostflags
#define SSL_set_session ossl_ssl.SSL_set_session
#define SSL_shutdown ossl_ssl.SSL_shutdown
#define SSL_write_ex ossl_ssl.SSL_write_ex
#define TLS_client_method ossl_ssl.TLS_client_method

#define BIO_clear_flags ossl_crypto.BIO_clear_flags
#define BIO_get_data ossl_crypto.BIO_get_data
#define BIO_meth_free ossl_crypto.BIO_meth_free
#define BIO_meth_new ossl_crypto.BIO_meth_new
#define BIO_meth_set_ctrl ossl_crypto.BIO_meth_set_ctrl
#define BIO_meth_set_read ossl_crypto.BIO_meth_set_read
#define BIO_meth_set_write ossl_crypto.BIO_meth_set_write
#define BIO_new ossl_crypto.BIO_new
#define BIO_set_data ossl_crypto.BIO_set_data
#define BIO_set_flags ossl_crypto.BIO_set_flags
#define BIO_set_init ossl_crypto.BIO_set_init
#define CRYPTO_free ossl_crypto.CRYPTO_free
#define ERR_clear_error ossl_crypto.ERR_clear_error
#define ERR_get_error_all ossl_crypto.ERR_get_error_all
#define ERR_peek_error ossl_crypto.ERR_peek_error
#define ERR_peek_last_error ossl_crypto.ERR_peek_last_error
#define ERR_pop_to_mark ossl_crypto.ERR_pop_to_mark
#define ERR_reason_error_string ossl_crypto.ERR_reason_error_string
#define ERR_set_mark ossl_crypto.ERR_set_mark
#define EVP_Digest ossl_crypto.EVP_Digest
#define EVP_DigestFinal_ex ossl_crypto.EVP_DigestFinal_ex
#define EVP_DigestInit_ex2 ossl_crypto.EVP_DigestInit_ex2
#define EVP_DigestUpdate ossl_crypto.EVP_DigestUpdate
#define EVP_MD_CTX_copy_ex ossl_crypto.EVP_MD_CTX_copy_ex
#define EVP_MD_CTX_free ossl_crypto.EVP_MD_CTX_free
#define EVP_MD_CTX_get0_md ossl_crypto.EVP_MD_CTX_get0_md
#define EVP_MD_CTX_new ossl_crypto.EVP_MD_CTX_new
#define EVP_MD_get_size ossl_crypto.EVP_MD_get_size
#define EVP_md5 ossl_crypto.EVP_md5
#define EVP_sha1 ossl_crypto.EVP_sha1
#define EVP_sha256 ossl_crypto.EVP_sha256
#define EVP_sha512 ossl_crypto.EVP_sha512
#define OPENSSL_init_crypto ossl_crypto.OPENSSL_init_crypto
#define X509_LOOKUP_ctrl ossl_crypto.X509_LOOKUP_ctrl
#define X509_LOOKUP_get_method_data ossl_crypto.X509_LOOKUP_get_method_data
#define X509_LOOKUP_get_store ossl_crypto.X509_LOOKUP_get_store
#define X509_LOOKUP_hash_dir ossl_crypto.X509_LOOKUP_hash_dir
#define X509_LOOKUP_meth_free ossl_crypto.X509_LOOKUP_meth_free
#define X509_LOOKUP_meth_new ossl_crypto.X509_LOOKUP_meth_new
#define X509_LOOKUP_meth_set_get_by_subject ossl_crypto.X509_LOOKUP_meth_set_get_by_subject
#define X509_LOOKUP_set_method_data ossl_crypto.X509_LOOKUP_set_method_data
#define X509_OBJECT_get0_X509 ossl_crypto.X509_OBJECT_get0_X509
#define X509_OBJECT_retrieve_by_subject ossl_crypto.X509_OBJECT_retrieve_by_subject
#define X509_OBJECT_set1_X509 ossl_crypto.X509_OBJECT_set1_X509
#define X509_STORE_add_lookup ossl_crypto.X509_STORE_add_lookup
#define X509_STORE_get0_objects ossl_crypto.X509_STORE_get0_objects
#define X509_STORE_lock ossl_crypto.X509_STORE_lock
#define X509_STORE_unlock ossl_crypto.X509_STORE_unlock
#define X509_VERIFY_PARAM_set1_ip_asc ossl_crypto.X509_VERIFY_PARAM_set1_ip_asc
#define X509_free ossl_crypto.X509_free
#define X509_get_X509_PUBKEY ossl_crypto.X509_get_X509_PUBKEY
#define X509_get_default_cert_dir ossl_crypto.X509_get_default_cert_dir
#define X509_get_default_cert_dir_env ossl_crypto.X509_get_default_cert_dir_env
#define X509_get_default_cert_file ossl_crypto.X509_get_default_cert_file
#define X509_get_default_cert_file_env ossl_crypto.X509_get_default_cert_file_env
#define X509_load_cert_crl_file ossl_crypto.X509_load_cert_crl_file
#define X509_verify_cert_error_string ossl_crypto.X509_verify_cert_error_string
#define i2d_X509_PUBKEY ossl_crypto.i2d_X509_PUBKEY

#endif
#endif

// How a certificate's issuer is found: in directories of hashed names, where only what is asked for is read, and
// after them in a bundle, which is parsed whole (140 certificates: 20 ms) and therefore not before it is needed.
#define _GNU_SOURCE
#include "internal.h"

#if OSSL_AVAILABLE
#include <stdlib.h>
#include <string.h>

/// One directory, or several with colons between them.
int ossl_trust_directory(ossl_context *context, const char *directory) {
  X509_STORE *store = SSL_CTX_get_cert_store(context->settings);
  X509_LOOKUP *lookup = X509_STORE_add_lookup(store, X509_LOOKUP_hash_dir());
  return lookup != NULL && X509_LOOKUP_add_dir(lookup, directory, X509_FILETYPE_PEM) == 1;
}

/// OpenSSL's callback, asked after the directories had nothing: reads the bundle once, then looks in the store.
static int look_in_bundle(X509_LOOKUP *lookup, X509_LOOKUP_TYPE type, const X509_NAME *name, X509_OBJECT *found) {
  const char *path = X509_LOOKUP_get_method_data(lookup);
  if (type != X509_LU_X509 || path == NULL) return 0;
  X509_LOOKUP_set_method_data(lookup, NULL);
  ERR_set_mark();
  X509_load_cert_crl_file(lookup, path, X509_FILETYPE_PEM);
  ERR_pop_to_mark();  // a bundle that cannot be read leaves the issuer unknown, which is the error to report

  X509_STORE *store = X509_LOOKUP_get_store(lookup);
  if (X509_STORE_lock(store) != 1) return 0;
  X509_OBJECT *object = X509_OBJECT_retrieve_by_subject(X509_STORE_get0_objects(store), type, name);
  X509 *certificate = object == NULL ? NULL : X509_OBJECT_get0_X509(object);
  int is_found = certificate != NULL && X509_OBJECT_set1_X509(found, certificate) == 1;
  if (is_found) X509_free(certificate);  // the caller expects to borrow: the store's own reference stays
  X509_STORE_unlock(store);
  return is_found;
}

int ossl_trust_bundle_on_demand(ossl_context *context, const char *file) {
  context->bundle = strdup(file);
  context->bundle_method = X509_LOOKUP_meth_new("rawget bundle");
  if (context->bundle == NULL || context->bundle_method == NULL) return 0;
  if (X509_LOOKUP_meth_set_get_by_subject(context->bundle_method, look_in_bundle) != 1) return 0;
  X509_STORE *store = SSL_CTX_get_cert_store(context->settings);
  X509_LOOKUP *lookup = X509_STORE_add_lookup(store, context->bundle_method);
  return lookup != NULL && X509_LOOKUP_set_method_data(lookup, context->bundle) == 1;
}
#endif

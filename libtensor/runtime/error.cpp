#include "error.hpp"

#include <sycl/exception.hpp>

namespace usmtensor {

Error current_error() {
  try {
    throw;
  } catch (const Error &error) {
    return error;
  } catch (const sycl::exception &error) {
    return {ErrorKind::sycl, error.what(), error.code().value()};
  } catch (const std::exception &error) {
    return {ErrorKind::sycl, error.what()};
  } catch (...) {
    return {ErrorKind::sycl, "unknown native error"};
  }
}

} // namespace usmtensor

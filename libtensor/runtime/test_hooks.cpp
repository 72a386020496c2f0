#include "test_hooks.hpp"

namespace usmtensor {

TestHooks test_hooks;

} // namespace usmtensor

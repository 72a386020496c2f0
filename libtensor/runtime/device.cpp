#include "device.hpp"

#include "gate.hpp"
#include "translate.hpp"

#include <sycl/aspects.hpp>
#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/device_selector.hpp>
#if __has_include(<sycl/ext/intel/info/device.hpp>) // device.hpp has it before 2026.2
#include <sycl/ext/intel/info/device.hpp>
#endif
#include <sycl/platform.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace usmtensor {
namespace {

namespace query = sycl::info::device;

template <class T> using Row = std::pair<std::string_view, T>;

template <class... Rows> constexpr auto table(const Rows &...rows) { return std::array{rows...}; }

// The row of a name. For an unknown name, the error is `before`, the name, and `after`.
template <class Table>
const auto &find_row(const Table &rows, const std::string &name, const char *before,
                     const char *after) {
  for (const auto &row : rows)
    if (row.first == name)
      return row;
  throw Error(ErrorKind::value, before + ("'" + name) + "' " + after);
}

// --- information -------------------------------------------------------------------------------

using Numbers = std::vector<std::int64_t>;

template <class Number> Numbers numbers(Number value) { return {static_cast<std::int64_t>(value)}; }
Numbers numbers(const std::vector<std::size_t> &values) { return {values.begin(), values.end()}; }
template <int dimensions> Numbers numbers(sycl::range<dimensions> range) {
  return {&range[0], &range[0] + dimensions};
}

template <class Query> Numbers get_numbers(const sycl::device &device) {
  return numbers(device.get_info<Query>());
}
template <class Query> std::string get_text(const sycl::device &device) {
  return device.get_info<Query>();
}

// The result of a query by its name; empty if the backend does not support the query.
template <class Table>
auto answer(const Table &rows, const DeviceRef &device, const std::string &name) {
  const auto &row = find_row(rows, name, "", "is not a device property");
  try {
    return row.second(*device);
  } catch (const sycl::exception &) {
    return decltype(row.second(*device))();
  }
}

using TextRow = Row<std::string (*)(const sycl::device &)>;
using InfoRow = Row<Numbers (*)(const sycl::device &)>;
using AspectRow = Row<sycl::aspect>;

#define INFO(name) InfoRow(#name, get_numbers<query::name>)
#define TEXT(name) TextRow(#name, get_text<query::name>)
#define WIDTHS(type) INFO(preferred_vector_width_##type), INFO(native_vector_width_##type)
#define ASPECT(name) AspectRow(#name, sycl::aspect::name)

// sub_group_independent_forward_progress is deprecated without a successor.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
constexpr auto text_rows = table(TEXT(name), TEXT(vendor), TEXT(driver_version));
constexpr auto info_rows = table(
    INFO(max_compute_units), INFO(max_work_group_size), INFO(max_num_sub_groups),
    INFO(sub_group_sizes), INFO(sub_group_independent_forward_progress), INFO(max_clock_frequency),
    INFO(max_mem_alloc_size), INFO(global_mem_size), INFO(local_mem_size),
    INFO(global_mem_cache_type), INFO(global_mem_cache_size), INFO(global_mem_cache_line_size),
    InfoRow("free_memory", get_numbers<sycl::ext::intel::info::device::free_memory>),
    INFO(partition_max_sub_devices), INFO(profiling_timer_resolution), INFO(max_read_image_args),
    INFO(max_write_image_args),
    InfoRow("max_work_item_dims", get_numbers<query::max_work_item_dimensions>),
    InfoRow("max_work_item_sizes", get_numbers<query::max_work_item_sizes<3>>),
    InfoRow("max_work_item_sizes1d", get_numbers<query::max_work_item_sizes<1>>),
    InfoRow("max_work_item_sizes2d", get_numbers<query::max_work_item_sizes<2>>),
    InfoRow("max_work_item_sizes3d", get_numbers<query::max_work_item_sizes<3>>),
    InfoRow("image_2d_max_width", get_numbers<query::image2d_max_width>),
    InfoRow("image_2d_max_height", get_numbers<query::image2d_max_height>),
    InfoRow("image_3d_max_width", get_numbers<query::image3d_max_width>),
    InfoRow("image_3d_max_height", get_numbers<query::image3d_max_height>),
    InfoRow("image_3d_max_depth", get_numbers<query::image3d_max_depth>), WIDTHS(char),
    WIDTHS(short), WIDTHS(int), WIDTHS(long), WIDTHS(float), WIDTHS(double), WIDTHS(half));
#pragma GCC diagnostic pop
constexpr auto aspect_rows =
    table(ASPECT(cpu), ASPECT(gpu), ASPECT(accelerator), ASPECT(custom), ASPECT(fp16), ASPECT(fp64),
          ASPECT(atomic64), ASPECT(image), ASPECT(online_compiler), ASPECT(online_linker),
          ASPECT(queue_profiling), ASPECT(usm_device_allocations), ASPECT(usm_host_allocations),
          ASPECT(usm_shared_allocations), ASPECT(usm_system_allocations),
          ASPECT(usm_atomic_host_allocations), ASPECT(usm_atomic_shared_allocations),
          ASPECT(host_debuggable), ASPECT(emulated));

template <sycl::info::partition_property property, class Division>
std::vector<DeviceRef> create_sub_devices_of(const DeviceRef &device, const Division &division) {
  return translated(ErrorKind::sub_device_creation,
                    [&] { return handles(device->create_sub_devices<property>(division)); });
}

} // namespace

std::vector<DeviceRef> devices() { return handles(sycl::device::get_devices()); }

// The order of the first call is kept, because the runtime's scores change when another library
// registers its kernels.
std::vector<DeviceRef> ranked_devices() {
  static std::mutex &mutex = *new std::mutex;
  static auto &ranked = *new std::vector<sycl::device>;
  const DriverScope scope;
  std::lock_guard<std::mutex> lock(mutex);
  if (ranked.empty())
    try {
      for (;;) // the runtime's selector prefers one backend if two have the same device
        ranked.emplace_back([](const sycl::device &device) {
          const bool found = std::find(ranked.begin(), ranked.end(), device) != ranked.end();
          return found ? -1 : sycl::default_selector_v(device);
        });
    } catch (const sycl::exception &) { // none is left
    }
  return handles(ranked);
}

DeviceRef default_device() {
  const std::vector<DeviceRef> ranked = ranked_devices();
  if (ranked.empty())
    throw Error(ErrorKind::device_creation, "there is no SYCL device");
  return ranked.front();
}

Backend backend(const DeviceRef &device) { return translated(device->get_backend()); }

DeviceType device_type(const DeviceRef &device) {
  return device->is_cpu()           ? DeviceType::cpu
         : device->is_gpu()         ? DeviceType::gpu
         : device->is_accelerator() ? DeviceType::accelerator
                                    : DeviceType::custom;
}

int default_selector_score(const DeviceRef &device) { return sycl::default_selector_v(*device); }

std::string text_info(const DeviceRef &device, const std::string &name) {
  return answer(text_rows, device, name);
}

std::vector<std::int64_t> number_info(const DeviceRef &device, const std::string &name) {
  return answer(info_rows, device, name);
}

bool has_aspect(const DeviceRef &device, const std::string &name) {
  const AspectRow &row = find_row(aspect_rows, name, "", "is not a device aspect");
  return !is_hidden(name) && device->has(row.second);
}

DeviceRef parent(const DeviceRef &device) {
  if (device->get_info<query::partition_type_property>() ==
      sycl::info::partition_property::no_partition)
    return nullptr;
  return std::make_shared<sycl::device>(device->get_info<query::parent_device>());
}

DeviceRef root(const DeviceRef &device) {
  DeviceRef result = device;
  while (DeviceRef next = parent(result))
    result = next;
  return result;
}

bool has_peer_access(const DeviceRef &device, const DeviceRef &peer) {
  static std::mutex &mutex = *new std::mutex;
  static auto &answers = *new std::map<std::pair<std::size_t, std::size_t>, bool>;
  const DriverScope scope;
  std::lock_guard<std::mutex> lock(mutex);
  const auto [answer, unknown] = answers.try_emplace({hash(device), hash(peer)}, false);
  if (unknown)
    try {
      answer->second = device->ext_oneapi_can_access_peer(*peer);
      if (answer->second)
        device->ext_oneapi_enable_peer_access(*peer);
    } catch (const sycl::exception &) { // already enabled by another library, or no peer support
    }
  return answer->second;
}

using sycl::info::partition_property;

std::vector<DeviceRef> partition_equally(const DeviceRef &device, std::size_t compute_units) {
  return create_sub_devices_of<partition_property::partition_equally>(device, compute_units);
}

std::vector<DeviceRef> partition_by_counts(const DeviceRef &device,
                                           const std::vector<std::size_t> &compute_units) {
  return create_sub_devices_of<partition_property::partition_by_counts>(device, compute_units);
}

std::vector<DeviceRef> partition_by_affinity(const DeviceRef &device, const std::string &domain) {
  using Domain = sycl::info::partition_affinity_domain;
#define AFFINITY(name) Row<Domain>(#name, Domain::name)
  static constexpr auto rows =
      table(AFFINITY(numa), AFFINITY(L1_cache), AFFINITY(L2_cache), AFFINITY(L3_cache),
            AFFINITY(L4_cache), AFFINITY(next_partitionable));
  const auto &row = find_row(rows, domain, "partition ",
                             "is not understood: expected numa, L1_cache, L2_cache, L3_cache, "
                             "L4_cache or next_partitionable");
  return create_sub_devices_of<partition_property::partition_by_affinity_domain>(device,
                                                                                 row.second);
}

bool equal(const DeviceRef &a, const DeviceRef &b) { return *a == *b; }

std::size_t hash(const DeviceRef &device) { return std::hash<sycl::device>()(*device); }

DeviceRef adopt_device(const void *device) {
  return std::make_shared<sycl::device>(*static_cast<const sycl::device *>(device));
}

void query_platforms(const std::string &name, const std::string &value) {
  static std::once_flag first;
  const DriverScope scope;
  std::call_once(first, [&] {
    std::optional<std::string> found;
    if (const char *text = std::getenv(name.c_str()))
      found = text;
    const std::shared_ptr<void> at_end(nullptr, [&](void *) {
      if (found)
        setenv(name.c_str(), found->c_str(), 1);
      else
        unsetenv(name.c_str());
    });
    setenv(name.c_str(), value.c_str(), 1);
    sycl::platform::get_platforms();
  });
}

Backend backend(const PlatformRef &platform) { return translated(platform->get_backend()); }

std::vector<PlatformRef> platforms() {
  std::vector<PlatformRef> result;
  for (const sycl::platform &platform : sycl::platform::get_platforms())
    if (!platform.get_devices().empty())
      result.push_back(std::make_shared<sycl::platform>(platform));
  return result;
}

PlatformRef platform_of(const DeviceRef &device) {
  return std::make_shared<sycl::platform>(device->get_platform());
}

std::vector<DeviceRef> platform_devices(const PlatformRef &platform) {
  return handles(platform->get_devices());
}

PlatformText describe(const PlatformRef &platform) {
  namespace query = sycl::info::platform;
  return {platform->get_info<query::name>(), platform->get_info<query::vendor>(),
          platform->get_info<query::version>()};
}

bool equal(const PlatformRef &a, const PlatformRef &b) { return *a == *b; }

std::size_t hash(const PlatformRef &platform) { return std::hash<sycl::platform>()(*platform); }

ContextRef make_context(const std::vector<DeviceRef> &devices) {
  return translated(nullptr, devices.empty() ? nullptr : devices[0].get(),
                    ErrorKind::context_creation,
                    [&] { return std::make_shared<sycl::context>(objects(devices)); });
}

ContextRef default_context(const PlatformRef &platform) {
  return std::make_shared<sycl::context>(platform->khr_get_default_context());
}

std::vector<DeviceRef> context_devices(const ContextRef &context) {
  return handles(context->get_devices());
}

bool equal(const ContextRef &a, const ContextRef &b) { return *a == *b; }

std::size_t hash(const ContextRef &context) { return std::hash<sycl::context>()(*context); }

ContextRef adopt_context(const void *context) {
  return std::make_shared<sycl::context>(*static_cast<const sycl::context *>(context));
}

} // namespace usmtensor
